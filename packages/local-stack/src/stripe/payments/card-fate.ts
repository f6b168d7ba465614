import type { Context } from '../context.ts';
import type { Decline } from '../resources/test-cards.ts';

/** Returns why a charge of a payment method is declined, or null. */
export const findDecline = ({ store }: Context, method: string): Decline | null =>
  store.get('cardFates', method)?.onCharge ?? null;

export const isAuthenticationNeeded = ({ store }: Context, method: string): boolean =>
  (store.get('cardFates', method)?.authentication ?? 'never') !== 'never';

/** Stores that a customer has authenticated a card for later payments. */
export function markSetUp({ store }: Context, method: string): void {
  const fate = store.get('cardFates', method);
  if (fate?.authentication === 'until_set_up') store.put('cardFates', { ...fate, authentication: 'never' });
}
