import { listCustomersByEmail } from '@uprez/payments/customers';
import { listSubscriptions } from '@uprez/payments/subscriptions';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { fileFixture } from '@uprez/testing/fixtures';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { postJson } from '../support/open-shop.ts';

const stripe = fileFixture(openTestStripe);
const product = fileFixture(() =>
  startIsolatedProduct({
    services: ['dispatcher', 'dispatcher'],
    env: { PUBLIC_URL: 'http://images.example', ...stripe.env },
  }),
);
const control = (path: string, init?: RequestInit) => fetch(`${stripe.double.url}/_control/${path}`, init);

async function startGateway() {
  const gateway = await product.spawn('gateway');
  await gateway.ready();
  return { gateway, url: (await gateway.publicUrl()) ?? '' };
}

it.each(['before', 'after'])(
  'M5: one subscription remains when the gateway is killed %s the effect of its request, with two dispatchers',
  async (when) => {
    const { gateway, url } = await startGateway();
    const user = await signUp(url);
    const { id } = user.user;
    await product.db.updateTable('users').set({ emailVerified: true }).where('id', '=', id).execute();
    await control('failures', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ when, kind: 'hang', method: 'POST', path: '/v1/subscriptions' }),
    });
    const buying = postJson(user, `${url}/api/create-subscription`, { priceId: 'pro' }).catch(() => undefined);
    await waitUntil(async () => ((await (await control('failures')).json()) as unknown[]).length === 0);
    await gateway.end('SIGKILL');
    expect(await buying).toBeUndefined();
    const calls = product.db.updateTable('billingCalls').where('accountId', '=', id);
    // As if the lease of the killed process had expired.
    await calls.set({ leaseUntil: new Date(), notBefore: new Date() }).execute();
    const readCalls = () => product.db.selectFrom('billingCalls').selectAll().where('accountId', '=', id).execute();
    const [made] = await waitUntil(async () => {
      const rows = await readCalls();
      return rows[0]?.step === 'create' && rows[0].leaseUntil === null && rows;
    });
    const { items: customers } = await listCustomersByEmail(stripe.payments, { email: user.email });
    expect(customers).toHaveLength(1);
    const { items } = await listSubscriptions(stripe.payments, { customerId: customers[0]?.id ?? '' });
    expect(items).toMatchObject([{ id: made?.stripeIds.subscriptionId, status: 'incomplete', callId: made?.id }]);
    const next = await startGateway();
    expect(await postJson(user, `${next.url}/api/create-subscription`, { priceId: 'pro' })).toMatchObject({
      status: 200,
    });
    expect(await readCalls()).toHaveLength(1);
    await next.gateway.end('SIGKILL');
  },
);
