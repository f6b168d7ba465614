import type { Billing } from '@uprez/contracts/schemas/billing/billing';

/** What the provider's page or form said when it returned here. Only what we read afterwards counts. */
export type PurchaseReturn = { checkout?: string; hasFailed: boolean };

/** Secrets that the provider adds to the address. */
export const secretNames = ['payment_intent_client_secret', 'setup_intent_client_secret'] as const;
const names = ['checkout', 'payment_intent', 'setup_intent', 'redirect_status', ...secretNames] as const;

/** Reads the return from a purchase. Undefined on every other visit. */
export function readReturn(query: URLSearchParams): PurchaseReturn | undefined {
  const checkout = query.get('checkout');
  if (checkout) return { checkout, hasFailed: false };
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

/** How a purchase went, by what the account has now. `waiting`: neither a payment nor an error is known yet. */
export function findPurchaseState(
  { subscription }: Pick<Billing, 'subscription'>,
  { hasFailed }: PurchaseReturn,
): PurchaseState {
  if (subscription?.badge === 'active') return 'active';
  if (subscription?.badge === 'pending') return 'processing';
  return hasFailed ? 'failed' : 'waiting';
}
