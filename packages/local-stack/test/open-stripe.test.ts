import { join } from 'node:path';
import { openPayments } from '@uprez/payments/open-payments';
import { createProduct, findProduct } from '@uprez/payments/products';
import { parseSettings } from '@uprez/runtime/parse-settings';
import { paymentOptions, paymentSettings } from '@uprez/runtime/payment-options';
import { expect, it, onTestFinished } from 'vitest';
import { readStackConfig } from '../src/config.ts';
import { openStripe } from '../src/product/open-stripe.ts';
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
