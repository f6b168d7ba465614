import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { routes } from '@uprez/contracts/endpoints/routes';
import { createProduct, findProduct } from '@uprez/payments/catalog';
import { openPayments } from '@uprez/payments/open-payments';
import { verifyEvent, type WebhookRequest } from '@uprez/payments/webhook-events';
import { parseSettings } from '@uprez/runtime/parse-settings';
import { paymentOptions, paymentSettings } from '@uprez/runtime/payment-options';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readStackConfig } from '../src/config.ts';
import { openStripe } from '../src/product/open-backing.ts';
import { readSecrets } from '../src/secrets.ts';
import { makeFolder } from './helpers.ts';

const open = (dataDir: string, env: Record<string, string> = {}) =>
  openStripe({
    config: readStackConfig(dataDir, { DATA_DIR: dataDir, ...env }),
    secrets: readSecrets(join(dataDir, 'secrets.json')),
  });

/** Connects as a service with these settings does. */
function connect(env: Record<string, string>) {
  const options = paymentOptions(parseSettings(paymentSettings, env));
  if (!options) throw new Error('no settings of Stripe');
  const payments = openPayments(options);
  onTestFinished(payments.close);
  return payments;
}

it('runs a double without keys, with the same keys and objects after a restart', async () => {
  const dataDir = makeFolder();
  const first = await open(dataDir);
  const product = { productId: 'uprez_pro', name: 'Uprez Pro', description: 'For photos.' };
  await createProduct(connect(first.env), { ...product, idempotencyKey: 'first' });
  expect(first.row).toEqual(['Stripe', 'double, no real money', first.env.STRIPE_API_URL, join(dataDir, 'stripe')]);
  await first.stop();
  const second = await open(dataDir);
  onTestFinished(second.stop);
  expect({ ...second.env, STRIPE_API_URL: '' }).toEqual({ ...first.env, STRIPE_API_URL: '' });
  expect(await findProduct(connect(second.env), 'uprez_pro')).toMatchObject({ name: 'Uprez Pro' });
});

it('sends events to the gateway, signed with the secret of its settings', async () => {
  const received: (WebhookRequest & { url: string | undefined })[] = [];
  const gateway = createServer(async (request, reply) => {
    const signature = String(request.headers['stripe-signature']);
    received.push({ url: request.url, body: await buffer(request), signature });
    reply.end('{}');
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  onTestFinished(() => void gateway.close());
  const { port } = gateway.address() as AddressInfo;
  const stripe = await open(makeFolder(), { PORT: String(port) });
  onTestFinished(stripe.stop);
  const payments = connect(stripe.env);
  const product = { productId: 'uprez_pro', name: 'Uprez Pro', description: 'For photos.' };
  await createProduct(payments, { ...product, idempotencyKey: 'first' });
  const [event] = await vi.waitUntil(() => received.length > 0 && received);
  if (!event) throw new Error('no event');
  expect(event.url).toBe(routes.stripeWebhook.path);
  expect(verifyEvent(payments, event)).toMatchObject({
    result: 'verified',
    event: { type: 'product.created', objectId: 'uprez_pro' },
  });
});

it('runs no double with keys, and none in production', async () => {
  const dataDir = makeFolder();
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  expect(await open(dataDir, keys)).toMatchObject({ env: {}, row: ['Stripe', 'test mode', '', ''] });
  expect(await open(dataDir, { NODE_ENV: 'production', STORAGE: 'disk' })).toMatchObject({
    env: {},
    row: ['Stripe', 'not set up', '', ''],
  });
});
