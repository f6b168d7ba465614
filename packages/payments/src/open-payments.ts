import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { registerClient } from './transport/client.ts';
import { openPace } from './transport/open-pace.ts';

export type Mode = 'test' | 'live';

/** What `paymentOptions` of packages/runtime returns. */
export type PaymentsOptions = {
  mode: Mode;
  secretKey: string;
  publishableKey: string;
  /** One, or two while a secret is being replaced. */
  webhookSecrets: readonly string[];
  /** Origin of the API. Default: Stripe's. */
  apiUrl?: string | undefined;
  timeoutMs?: number | undefined;
  /** Requests that are begun in a second. Default: without a limit. Repeats by the SDK aren't counted. */
  perSecond?: number | undefined;
};

/** An open connection to Stripe. Contains no secret and is safe to log. */
export type Payments = {
  readonly mode: Mode;
  readonly publishableKey: string;
  /** The number of requests that have waited for their reply for longer than `ms`. */
  countWaiting(ms: number): number;
  /** Closes idle connections. */
  close(): void;
};

/**
 * Limit of one request without data. Stripe confirms a payment within a few seconds. A user waits for this limit twice,
 * once for each attempt, and the SDK's 80 s would exceed every timeout in front of the gateway.
 */
const timeoutMs = 15_000;
/**
 * One retry under the same key hides a closed connection, a lock conflict (409), or a 503. More would keep a user waiting:
 * the dispatcher finishes open calls later.
 */
const maxNetworkRetries = 1;

/** Opens a client for the API version that the SDK is built for. Makes no request. */
export function openPayments(options: PaymentsOptions): Payments {
  const url = new URL(options.apiUrl ?? 'https://api.stripe.com');
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const stripe = new Stripe(options.secretKey, {
    host: url.hostname,
    port: url.port || (isSecure ? 443 : 80),
    protocol: isSecure ? 'https' : 'http',
    httpAgent: agent,
    timeout: options.timeoutMs ?? timeoutMs,
    maxNetworkRetries,
    telemetry: false,
  });
  const pendingRequests = new Set<{ startedAtMs: number }>();
  const payments: Payments = {
    mode: options.mode,
    publishableKey: options.publishableKey,
    countWaiting: (ms) => [...pendingRequests].filter(({ startedAtMs }) => performance.now() - startedAtMs > ms).length,
    close: () => agent.destroy(),
  };
  const pace = options.perSecond === undefined ? undefined : openPace(options.perSecond);
  registerClient(payments, { stripe, webhookSecrets: options.webhookSecrets, pendingRequests, pace });
  return payments;
}
