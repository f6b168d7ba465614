import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';

const dateTimeFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a Unix time in seconds, in UTC. */
export const formatTime = (seconds: number): string => `${dateTimeFormat.format(new Date(seconds * 1_000))} UTC`;

export const formatMoney = (cents: number): string => `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;

/** Returns the display name of a customer: the email address, or the ID. */
export const nameOf = ({ email, id }: Tables['customers']): string => email ?? id;

/** Describes a payment method, such as `visa •••• 4242`. */
export const describeMethod = ({ type, card }: Tables['paymentMethods']): string =>
  card ? `${card.brand} •••• ${card.last4}` : type;

/** Such as `Pro, $19.00 per month`. */
export function describePrice({ store }: Context, { items }: Tables['subscriptions']): string {
  const price = items.data[0]?.price;
  const product = store.get('products', idOf(price?.product) ?? '')?.name ?? 'Subscription';
  return `${product}, ${formatMoney(price?.unit_amount ?? 0)} per ${price?.recurring?.interval ?? 'period'}`;
}

/** Describes what happens to a subscription at the end of its period. */
export function describeEnd({
  status,
  items,
  cancel_at_period_end: ends,
  pause_collection: pause,
}: Tables['subscriptions']): string {
  const end = formatTime(items.data[0]?.current_period_end ?? 0);
  if (status === 'canceled' || status === 'incomplete_expired') return 'Ended';
  if (ends) return `Ends on ${end}`;
  return pause ? `Paused, next period on ${end}` : `Renews on ${end}`;
}

export const subscriptionsOf = ({ store }: Context, id: string): Tables['subscriptions'][] =>
  store.list('subscriptions').filter(({ customer }) => idOf(customer) === id);

export const paymentMethodsOf = ({ store }: Context, id: string): Tables['paymentMethods'][] =>
  store.list('paymentMethods').filter(({ customer }) => idOf(customer) === id);
