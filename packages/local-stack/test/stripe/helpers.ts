import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { openStripeDouble, type StripeDouble } from '../../src/stripe/open-stripe-double.ts';

export const keys = { secretKey: 'sk_test_local', publishableKey: 'pk_test_local' };

export function makeStripeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a double, and Stripe's SDK connected to it. Both are closed after the test. */
export async function openStripe(options: { dataDir?: string; now?: () => number } = {}) {
  const dataDir = options.dataDir ?? makeStripeFolder();
  const double = await openStripeDouble({ port: 0, ...keys, ...options, dataDir });
  onTestFinished(() => double.close());
  return { double, dataDir, stripe: connect(double) };
}

export const connect = ({ port }: StripeDouble, { secretKey = keys.secretKey, timeout = 30_000 } = {}) =>
  new Stripe(secretKey, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    timeout,
  });

/** Returns the error that a call of the SDK rejects with. */
export async function errorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw error;
}

/** Opens a webhook endpoint that verifies signatures with the SDK and keeps the events. `reply` decides its status. */
export async function openReceiver(stripe: Stripe, { reply = () => 200 }: { reply?: () => number } = {}) {
  const events: Stripe.Event[] = [];
  let secret = '';
  const server = createServer(async (request, response) => {
    const body = await text(request);
    events.push(stripe.webhooks.constructEvent(body, String(request.headers['stripe-signature']), secret));
    response.writeHead(reply()).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/webhook`;
  const endpoint = await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
  secret = endpoint.secret ?? '';
  return { events, endpoint, url };
}
