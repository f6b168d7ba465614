import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatAlternatives } from '@uprez/contracts/texts/format';
import { usePlans } from '../../lib/api/queries.ts';

/** Stripe payment methods that can pay for a plan in US dollars, in display order. */
const names: Record<string, string> = {
  card: 'cards',
  paypal: 'PayPal',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
  amazon_pay: 'Amazon Pay',
  cashapp: 'Cash App Pay',
  us_bank_account: 'US bank accounts',
};

/** Returns a sentence such as `Pay with cards or PayPal.`, or undefined if the plans list no known payment method. */
export function describePaymentMethods(cards: readonly Pick<PlanCard, 'paymentMethods'>[]): string | undefined {
  const types = new Set(cards.flatMap(({ paymentMethods }) => paymentMethods));
  const known = Object.entries(names).filter(([type]) => types.has(type));
  return known.length > 0 ? `Pay with ${formatAlternatives(known.map(([, name]) => name))}.` : undefined;
}

export function PaymentMethods() {
  const { data = [] } = usePlans();
  const sentence = describePaymentMethods(data);
  return sentence && <p className="text-muted text-sm">{sentence}</p>;
}
