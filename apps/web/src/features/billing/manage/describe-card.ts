import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatMethod } from '@uprez/contracts/texts/payment-methods';
import { billingMessages } from '../messages.ts';

const text = billingMessages.card;
type Card = NonNullable<NonNullable<Billing['subscription']>['card']>;

/** A payment method: its name and digits, and when it expires. */
export function describeCard({ brand, last4, expMonth, expYear }: Card): { name: string; expires: string | undefined } {
  const name = formatMethod(brand);
  const hasExpiry = expMonth !== null && expYear !== null;
  return {
    name: last4 === null ? name : text.digits(name, last4),
    expires: hasExpiry ? text.expires(String(expMonth).padStart(2, '0'), expYear) : undefined,
  };
}
