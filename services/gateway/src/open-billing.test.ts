import { expect, it } from 'vitest';
import { openBilling } from './open-billing.ts';

it('opens the connection to Stripe again after opening it failed', async () => {
  const payments = { mode: 'test' as const, secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: [] };
  const config = { payments: { ...payments, apiUrl: 'no URL' } };
  const billing = openBilling(config);
  await expect(billing.get()).rejects.toThrow('Invalid URL');
  config.payments.apiUrl = 'http://127.0.0.1:9';
  expect((await billing.get()).payments.mode).toBe('test');
  await billing.close();
});
