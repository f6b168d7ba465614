import { insertStripeCheck } from '@uprez/db/queries/billing/stripe-checks';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { listPlanCards } from '@uprez/domain/billing/list-plan-cards';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { testFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { getServices } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { openStalledProxy } from './support/open-stalled-proxy.ts';

const world = testFixture(openBillingWorld);

async function startDispatcher(STRIPE_API_URL = world.stripe.double.url) {
  const { redisUrl } = getServices();
  const env = { ...world.stripe.env, STRIPE_API_URL };
  const product = await startTestProduct({
    databaseUrl: world.databaseUrl,
    redisUrl,
    services: ['dispatcher'],
    env,
  });
  onTestFinished(product.close);
  return product;
}

const findSubscription = ({ subscriptionId }: Subscriber) =>
  world.db.selectFrom('subscriptions').select('status').where('id', '=', subscriptionId).executeTakeFirst();
const waitForStatus = (subscriber: Subscriber, status: string) =>
  waitUntil(async () => (await findSubscription(subscriber))?.status === status);

it('the dispatcher stores what Stripe says about a customer after an event', async () => {
  const { services } = await startDispatcher();
  const subscriber = await world.subscribe();
  await waitForStatus(subscriber, 'incomplete');
  await world.pay(subscriber);
  const [event] = await world.eventsOf(subscriber);
  if (!event) throw new Error('there is no event');
  const { isLive: _, ...row } = event;
  await insertStripeEvent(world.db, row);
  await waitForStatus(subscriber, 'active');
  const metrics = await services[0]?.metrics();
  expect(metrics).toMatch(/^stripe_customers\{state="pending"\} 0$/m);
  expect(metrics).toMatch(/^stripe_oldest_event_seconds 0$/m);
});

it('stripe_drift counts subscriptions that differed, and events that never arrived', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  const { services } = await startDispatcher();
  const waitForDrift = (line: RegExp) => waitUntil(async () => line.test((await services[0]?.metrics()) ?? ''));
  const { db } = world;
  const checks = db.selectFrom('stripeChecks').select('kind').distinct();
  await waitUntil(async () => (await checks.execute()).length === 2);
  // Customers that will be read anyway are not compared: their email address at Stripe is corrected first.
  const settled = db.selectFrom('billingCustomers').select('stripeId').where('emailDigest', 'is not', null);
  const read = settled.whereRef('wanted', '=', 'mirrored');
  await waitUntil(async () => (await read.execute()).length === 1);
  await waitForStatus(subscriber, 'active');
  await waitForDrift(/^stripe_drift\{kind="subscriptions"\} 0$/m);
  const stored = db.updateTable('subscriptions').where('id', '=', subscriber.subscriptionId);
  const comparison = db.updateTable('scheduledTasks').where('name', '=', 'reconcile-subscriptions');
  // Again until the comparison sees it: a late event corrects the status, and a run in progress sets the time of the next.
  await waitUntil(async () => {
    await stored.set({ status: 'incomplete' }).execute();
    await comparison.set({ nextRunAt: new Date(0) }).execute();
    return /^stripe_drift\{kind="subscriptions"\} 1$/m.test((await services[0]?.metrics()) ?? '');
  });
  await waitForStatus(subscriber, 'active');
  await waitForDrift(/^stripe_drift\{kind="events"\} 0$/m);
  await insertStripeCheck(db, { kind: 'events', startedAt: new Date(), checked: 9, found: 3 });
  await waitForDrift(/^stripe_drift\{kind="events"\} 3$/m);
});

it('R10: another dispatcher reads the customer of one that was killed while it asked Stripe', async () => {
  const proxy = await openHoldingProxy(world.stripe.double.url, '/v1/invoices');
  onTestFinished(proxy.close);
  const { services, spawn } = await startDispatcher(proxy.url);
  const subscriber = await world.subscribe();
  await proxy.held;
  await services[0]?.end('SIGKILL');
  expect(await findSubscription(subscriber)).toBeUndefined();
  await spawn('dispatcher', { STRIPE_API_URL: world.stripe.double.url });
  // The claim of a process that is gone ends with its lease.
  const expired = { leaseUntil: new Date(0) };
  await world.db.updateTable('billingCustomers').set(expired).where('stripeId', '=', subscriber.customerId).execute();
  await waitForStatus(subscriber, 'incomplete');
});

it('customers whose requests get no reply do not delay the others', async () => {
  const proxy = await openStalledProxy(world.stripe.double.url);
  onTestFinished(proxy.close);
  // More than the readers of a dispatcher.
  for (let count = 0; count < 6; count += 1) proxy.stall((await world.subscribe()).customerId);
  await startDispatcher(proxy.url);
  await waitUntil(() => proxy.countStalled() >= 4);
  const subscriber = await world.subscribe();
  await waitForStatus(subscriber, 'incomplete');
  // No request of the others has ended meanwhile.
  const failures = world.db.selectFrom('billingCustomers').select('stripeId').where('failures', '>', 0);
  expect(await failures.execute()).toEqual([]);
});

it('the dispatcher stores which payment methods are on at Stripe', async () => {
  await startDispatcher();
  const readMethods = async () => (await listPlanCards(world)).find(({ key }) => key === 'pro')?.paymentMethods;
  await waitUntil(async () => ((await readMethods()) ?? []).length > 0);
  expect(await readMethods()).toEqual(['card', 'paypal']);
});
