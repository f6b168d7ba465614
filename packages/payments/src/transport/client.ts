import type Stripe from 'stripe';

/**
 * `pendingRequests`: requests that are waiting for a response. `startedAtMs`: start time from `performance.now`.
 * `pace`: resolves when the next request may start.
 */
type Client = {
  stripe: Stripe;
  webhookSecrets: readonly string[];
  pendingRequests: Set<{ startedAtMs: number }>;
  pace?: (() => Promise<void>) | undefined;
};

/** Stored separately from the handle, which keeps SDK types and secrets in this package. */
const clients = new WeakMap<object, Client>();

export function registerClient(payments: object, client: Client): void {
  clients.set(payments, client);
}

/**
 * Returns the SDK client and the webhook secrets of a handle. Throws TypeError for a handle that `openPayments` didn't
 * return.
 */
export function getClient(payments: object): Client {
  const client = clients.get(payments);
  if (!client) throw new TypeError('not opened by openPayments');
  return client;
}
