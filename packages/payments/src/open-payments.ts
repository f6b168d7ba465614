import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import Stripe from 'stripe';
import { registerClient } from './transport/client.ts';

export type Mode = 'test' | 'live';

export type PaymentsOptions = {
  mode: Mode;
  secretKey: string;
  publishableKey: string;
  /** One secret, or two during a rotation. */
  webhookSecrets: readonly string[];
  /** Origin of the API. Defaults to Stripe's. */
  apiUrl?: string | undefined;
  timeoutMs?: number | undefined;
  /** Maximum number of requests started per second. Unlimited by default. Retries by the SDK aren't counted. */
  perSecond?: number | undefined;
};

/** An open connection to Stripe. Contains no secret and is safe to log. */
export type Payments = {
  readonly mode: Mode;
  readonly publishableKey: string;
  /** Returns the number of requests that have been waiting for a response for longer than `ms`. */
  countWaiting(ms: number): number;
  close(): void;
};

/**
 * Maximum time per attempt without receiving data. Stripe confirms a payment within a few seconds. A user may wait
 * twice this time, once for each attempt. The SDK's default of 80 s would exceed every timeout in front of the gateway.
 */
const timeoutMs = 15_000;
/**
 * With one retry under the same key, users don't see a closed connection, a lock conflict (409), or a 503. More retries
 * would keep users waiting, and the dispatcher finishes open calls later.
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
  const pace = options.perSecond === undefined ? undefined : makePacer(options.perSecond);
  registerClient(payments, { stripe, webhookSecrets: options.webhookSecrets, pendingRequests, pace });
  return payments;
}

/**
 * Returns a function that resolves when the next request may start. At most `perSecond` requests start per second,
 * evenly spaced.
 */
function makePacer(perSecond: number): () => Promise<void> {
  const gapMs = 1_000 / perSecond;
  let nextMs = 0;
  return async () => {
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, nextMs);
    nextMs = startMs + gapMs;
    if (startMs > nowMs) await setTimeout(startMs - nowMs);
  };
}
