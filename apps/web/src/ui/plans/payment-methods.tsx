import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatAlternatives } from '@uprez/contracts/texts/format';
import { usePlans } from '../../lib/api/queries.ts';

/** Names of Stripe's payment methods that can pay a plan in US dollars, in the order of the sentence. */
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

/** `Pay with cards or PayPal.` Undefined if none of the plans says how it can be paid. Methods without a name are left out. */
export function describePaymentMethods(cards: readonly Pick<PlanCard, 'paymentMethods'>[]): string | undefined {
  const types = new Set(cards.flatMap(({ paymentMethods }) => paymentMethods));
  const known = Object.entries(names).filter(([type]) => types.has(type));
  return known.length > 0 ? `Pay with ${formatAlternatives(known.map(([, name]) => name))}.` : undefined;
}

/** Says how plans can be paid. */
export function PaymentMethods() {
  const { data = [] } = usePlans();
  const sentence = describePaymentMethods(data);
  return sentence && <p className="text-muted text-sm">{sentence}</p>;
}
