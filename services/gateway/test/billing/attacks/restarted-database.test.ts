import { signPayload } from '@uprez/local-stack/stripe/events/open-deliverer';
import { listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import { listCustomersByEmail } from '@uprez/payments/customers';
import { listSubscriptions } from '@uprez/payments/subscriptions';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { fileFixture } from '@uprez/testing/fixtures';
import { getServices } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/products/start-test-product';
import { openPrivatePostgres } from '@uprez/testing/services/open-embedded';
import { type SignedIn, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { postJson } from '../../support/open-shop.ts';

const buyers = 4;
const restarts = 2;

/** Starts the product on a PostgreSQL of its own. */
async function openWorld() {
  const [postgres, stripe] = [await openPrivatePostgres(), await openTestStripe()];
  const product = await startTestProduct({
    databaseUrl: postgres.url,
    redisUrl: getServices().redisUrl,
    services: ['gateway', 'dispatcher'],
    env: { PUBLIC_URL: 'http://images.example', ...stripe.env },
  });
  return {
    ...{ postgres, stripe, product },
    close: async () => {
      await product.close();
      await stripe.close();
      await postgres.stop();
    },
  };
}
const world = fileFixture(openWorld);

const buy = (user: SignedIn) => postJson(user, `${world.product.url}/api/create-subscription`, { priceId: 'pro' });

/** Delivers the events of Stripe as it does, to the gateway. */
async function deliver(event: object): Promise<number> {
  const body = JSON.stringify(event);
  const { STRIPE_WEBHOOK_SECRET: secret } = world.stripe.env;
  const signature = signPayload(body, { secret, time: Math.floor(Date.now() / 1_000) });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return (await fetch(`${world.product.url}/api/stripe/webhook`, { method: 'POST', headers, body })).status;
}

async function listOf({ email }: SignedIn) {
  const { payments } = world.stripe;
  const { items: customers } = await listCustomersByEmail(payments, { email });
  const [customer] = customers;
  const customerId = customer?.id ?? '';
  const { items: subscriptions } = await listSubscriptions(payments, { customerId });
  const { items: sessions } = await listCheckoutSessions(payments, { customerId });
  return {
    customers: customers.length,
    statuses: subscriptions.map(({ status }) => status),
    sessions: sessions.length,
  };
}

it(`R10: buying and events return only 200 and 503 while PostgreSQL restarts ${restarts} times, and nothing is made twice`, async () => {
  const { product, postgres, stripe } = world;
  const users = await Promise.all(Array.from({ length: buyers }, () => signUp(product.url)));
  await product.db.updateTable('users').set({ emailVerified: true }).execute();
  const stop = new AbortController();
  const statuses: number[] = [];
  let sent = 0;
  const repeat = async (send: () => Promise<number>) => {
    while (!stop.signal.aborted) statuses.push(await send());
  };
  const makeEvent = () => ({
    ...{ id: `evt_restart_${sent++}`, object: 'event', type: 'customer.updated', livemode: false },
    ...{ created: Math.floor(Date.now() / 1_000), data: { object: { id: 'cus_x', object: 'customer' } } },
  });
  const running = Promise.all([
    ...users.map((user) => repeat(async () => (await buy(user)).status)),
    repeat(() => deliver(makeEvent())),
  ]);
  for (let restart = 0; restart < restarts; restart += 1) {
    await waitUntil(() => statuses.slice(-20).includes(200), { what: 'a purchase' });
    const before = statuses.length;
    await postgres.restartImmediate();
    await waitUntil(() => statuses.slice(before).includes(200), { what: 'a purchase after the restart' });
  }
  stop.abort();
  await running;
  expect([...new Set(statuses)].sort()).toEqual([200, 503]);
  expect(product.services.map(({ process }) => process.exitCode)).toEqual([null, null]);
  // Calls that were cut off are continued when their leases expire.
  await product.db.updateTable('billingCalls').set({ leaseUntil: null }).where('state', '=', 'open').execute();
  for (const user of users) {
    const bought = await waitUntil(async () => {
      const reply = await buy(user);
      return reply.status === 200 && reply;
    });
    expect(await listOf(user)).toEqual({ customers: 1, statuses: ['incomplete'], sessions: 0 });
    const [intent] = String(bought.body.clientSecret).split('_secret_');
    const paid = await fetch(`${stripe.double.url}/v1/payment_intents/${intent}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripe.env.STRIPE_SECRET_KEY}` },
      body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
    });
    expect(paid.status).toBe(200);
  }
  for (const user of users) await postJson(user, `${product.url}/api/billing/refresh`, {});
  for (const user of users) {
    await waitUntil(async () => (await user.client.billing()).data.tier === 'pro');
    expect(await listOf(user)).toEqual({ customers: 1, statuses: ['active'], sessions: 0 });
  }
});
