import type { Billing } from '@uprez/contracts/schemas/billing/billing';

/** What the provider's page or form said when it returned here. Only what we read afterwards counts. */
export type PurchaseReturn = { checkout?: string /** Otherwise, it was a plan. */; isPack?: true; hasFailed: boolean };

/** Secrets that the provider adds to the address. */
export const secretNames = ['payment_intent_client_secret', 'setup_intent_client_secret'] as const;
const names = ['checkout', 'purchase', 'payment_intent', 'setup_intent', 'redirect_status', ...secretNames] as const;

/** Reads the return from a purchase. Undefined on every other visit. */
export function readReturn(query: URLSearchParams): PurchaseReturn | undefined {
  const checkout = query.get('checkout');
  if (checkout) return { checkout, ...(query.get('purchase') === 'pack' && { isPack: true }), hasFailed: false };
  if (!query.has('payment_intent') && !query.has('setup_intent')) return undefined;
  return { hasFailed: query.get('redirect_status') === 'failed' };
}

function omit(query: URLSearchParams, left: readonly string[]): URLSearchParams {
  const rest = new URLSearchParams(query);
  for (const name of left) rest.delete(name);
  return rest;
}

/** The parameters of an address without those of a purchase. */
export const withoutReturn = (query: URLSearchParams): URLSearchParams => omit(query, names);

/** The parameters of an address without secrets. */
export const withoutSecrets = (query: URLSearchParams): URLSearchParams => omit(query, secretNames);

export type PurchaseState = 'active' | 'processing' | 'failed' | 'waiting';

type Bought = Pick<Billing, 'subscription' | 'packs'>;

/** The pack that was bought in this session. Undefined until its payment is known. */
export const findPack = ({ packs }: Pick<Bought, 'packs'>, { checkout, isPack }: PurchaseReturn) =>
  isPack ? packs.find((pack) => pack.checkout === checkout) : undefined;

/** How a purchase went, by what the account has now. `waiting`: neither a payment nor an error is known yet. */
export function findPurchaseState(bought: Bought, returned: PurchaseReturn): PurchaseState {
  const { subscription } = bought;
  const { isPack, hasFailed } = returned;
  if (isPack) return findPack(bought, returned) ? 'active' : 'waiting';
  if (subscription?.badge === 'active') return 'active';
  if (subscription?.badge === 'pending') return 'processing';
  return hasFailed ? 'failed' : 'waiting';
}
