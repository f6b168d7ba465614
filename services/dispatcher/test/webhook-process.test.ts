import { randomUUID } from 'node:crypto';
import { openVault } from '@uprez/domain/vault';
import { webhookSecretPurpose } from '@uprez/domain/webhooks/get-webhook';
import { makeUser } from '@uprez/testing/make-user';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, onTestFinished, test } from 'vitest';
import { makeEvents, readDeliveries } from './support/webhook-world.ts';

test('the dispatcher requests no private address, even when a row contains one', async () => {
  const product = await startIsolatedProduct({ services: ['dispatcher'] });
  onTestFinished(product.close);
  const { db } = product;
  const owner = await makeUser(db, 'api_pro');
  const secret = openVault(product.env.VAULT_SECRET ?? '').seal('whsec_c2VjcmV0', webhookSecretPurpose);
  const facts = { accountId: owner.accountId, kind: 'endpoint', isSandbox: false, secret } as const;
  const ids = ['https://127.0.0.1/', 'https://localhost/', 'https://169.254.169.254/'].map((url) => ({
    id: randomUUID(),
    url,
  }));
  for (const row of ids)
    await db
      .insertInto('webhookEndpoints')
      .values({ ...row, ...facts })
      .execute();
  await makeEvents({ db }, owner);
  for (const endpoint of ids) {
    const delivery = await waitUntil(async () => {
      const [first] = await readDeliveries({ db }, endpoint);
      return first?.error ? first : undefined;
    });
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, answered: null, error: 'not_allowed' });
  }
});
