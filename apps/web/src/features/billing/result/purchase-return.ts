import type { Billing } from '@uprez/contracts/schemas/billing/billing';

/**
 * The result that the URL reports when the user returns from the provider's page or form. It isn't trusted: only the
 * billing state that is fetched afterward counts.
 */
export type PurchaseReturn = {
  checkout?: string;
  isPack?: true;
  hasFailed: boolean;
};

/** URL parameters that contain secrets, added by the payment provider. */
export const secretParamNames = ['payment_intent_client_secret', 'setup_intent_client_secret'] as const;
const paramNames = [
  'checkout',
  'purchase',
  'payment_intent',
  'setup_intent',
  'redirect_status',
  ...secretParamNames,
] as const;

/** Reads the result of a purchase from the URL. Returns undefined if the user isn't returning from a purchase. */
export function readPurchaseReturn(query: URLSearchParams): PurchaseReturn | undefined {
  const checkout = query.get('checkout');
  if (checkout) return { checkout, ...(query.get('purchase') === 'pack' && { isPack: true }), hasFailed: false };
  if (!query.has('payment_intent') && !query.has('setup_intent')) return undefined;
  return { hasFailed: query.get('redirect_status') === 'failed' };
}

function omitParams(query: URLSearchParams, left: readonly string[]): URLSearchParams {
  const rest = new URLSearchParams(query);
  for (const name of left) rest.delete(name);
  return rest;
}

export const omitReturnParams = (query: URLSearchParams): URLSearchParams => omitParams(query, paramNames);

export const omitSecretParams = (query: URLSearchParams): URLSearchParams => omitParams(query, secretParamNames);

export type PurchaseState = 'active' | 'processing' | 'failed' | 'waiting';

type BoughtItems = Pick<Billing, 'subscription' | 'packs'>;

/**
 * Returns the pack that was bought in this checkout session. Returns undefined for a plan, and until the payment is
 * known.
 */
export const findPack = ({ packs }: Pick<BoughtItems, 'packs'>, { checkout, isPack }: PurchaseReturn) =>
  isPack ? packs.find((pack) => pack.checkout === checkout) : undefined;

/**
 * Returns the state of a purchase, based on the account's billing state. `waiting`: neither a payment nor an error is
 * known yet.
 */
export function findPurchaseState(bought: BoughtItems, returned: PurchaseReturn): PurchaseState {
  const { subscription } = bought;
  const { isPack, hasFailed } = returned;
  if (isPack) return findPack(bought, returned) ? 'active' : 'waiting';
  if (subscription?.badge === 'active') return 'active';
  if (subscription?.badge === 'pending') return 'processing';
  return hasFailed ? 'failed' : 'waiting';
}
