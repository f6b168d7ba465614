import { randomUUID } from 'node:crypto';
import { countDrift } from '@uprez/db/queries/billing/stripe-checks';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { pullEvents } from '@uprez/domain/billing/stripe-events';
import { assignPaymentEvent } from '@uprez/domain/billing/sync/assign-payment-event';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { createSubscription } from '@uprez/payments/subscriptions';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);

async function syncAll() {
  while ((await assignPaymentEvent(world)) || (await syncNextCustomer(world)));
}
/** Compares everything with Stripe, reads what differed, and compares again. Returns what was found. */
async function reconcile() {
  const found = [await reconcileSubscriptions(world)];
  await syncAll();
  found.push(await reconcileSubscriptions(world));
  await syncAll();
  return found;
}
/** Pulls twice, all events: they are too young to be missed otherwise. */
async function pull() {
  const found = [await pullEvents(world, 0)];
  await syncAll();
  found.push(await pullEvents(world, 0));
  return found;
}
const findSubscription = ({ subscriptionId: id }: Subscriber) =>
  world.db.selectFrom('subscriptions').select(['status', 'cancelsAtPeriodEnd']).where('id', '=', id).executeTakeFirst();
const findTier = async ({ accountId }: Subscriber) =>
  (await world.db.selectFrom('users').select('tier').where('id', '=', accountId).executeTakeFirst())?.tier;
const cancelAtStripe = ({ subscriptionId }: Subscriber) =>
  world.post(`subscriptions/${subscriptionId}`, { cancel_at_period_end: 'true' });

it('M3: stores events that never arrived once, and what they changed', async () => {
  const subscriber = await world.subscribe();
  await syncAll();
  await world.pay(subscriber);
  const payment = await world.db.selectFrom('payments').select('id').where('customerId', '=', subscriber.customerId);
  const paymentIntentId = (await payment.executeTakeFirst())?.id ?? '';
  await world.post('refunds', { payment_intent: paymentIntentId, amount: '70' });
  // None of them is older than the time that deliveries may take.
  expect(await pullEvents(world)).toBe(0);
  const [found, again] = await pull();
  expect(found).toBeGreaterThan(0);
  expect(again).toBe(0);
  expect(await findTier(subscriber)).toBe('pro');
  const invoices = world.db.selectFrom('invoices').select(['status', 'refunded']);
  expect(await invoices.where('customerId', '=', subscriber.customerId).execute()).toEqual([
    { status: 'paid', refunded: 70 },
  ]);
  const events = world.db.selectFrom('stripeEvents').select(['source', 'state']).distinct();
  expect(await events.where('customerId', '=', subscriber.customerId).execute()).toEqual([
    { source: 'pull', state: 'done' },
  ]);
  expect(await countDrift(world.db)).toMatchObject({ events: 0 });
});

it('M3: reads customers again whose subscriptions differ, and finds nothing afterward', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  const lost = await world.subscribe();
  await syncAll();
  await reconcile();
  expect(await reconcile()).toEqual([0, 0]);

  await cancelAtStripe(subscriber);
  const gone = { id: `sub_${randomUUID()}`, status: 'active' };
  const [row] = await world.db.selectFrom('subscriptions').selectAll().where('id', '=', lost.subscriptionId).execute();
  if (!row) throw new Error('the subscription is missing');
  const fetchedAt = new Date(0);
  await world.db
    .insertInto('subscriptions')
    .values({ ...row, ...gone, fetchedAt })
    .execute();
  await world.db.deleteFrom('invoiceLines').execute();
  await world.db.deleteFrom('payments').where('customerId', '=', lost.customerId).execute();
  await world.db.deleteFrom('invoices').where('customerId', '=', lost.customerId).execute();
  await world.db.deleteFrom('subscriptions').where('id', '=', lost.subscriptionId).execute();
  expect(await reconcileSubscriptions(world)).toBe(3);
  expect(world.warnings.slice(-3)).toEqual([
    { subscriptionId: lost.subscriptionId, customerId: lost.customerId, differs: ['not stored'] },
    { subscriptionId: subscriber.subscriptionId, customerId: subscriber.customerId, differs: expect.anything() },
    { subscriptionId: gone.id, customerId: lost.customerId, differs: ['not at Stripe'] },
  ]);
  expect(await countDrift(world.db)).toMatchObject({ subscriptions: 3 });
  await syncAll();
  expect(await findSubscription(subscriber)).toEqual({ status: 'active', cancelsAtPeriodEnd: true });
  expect(await findSubscription(lost)).toMatchObject({ status: 'incomplete' });
  await world.db.deleteFrom('subscriptions').where('id', '=', gone.id).execute();
  expect(await reconcileSubscriptions(world)).toBe(0);
  expect(await countDrift(world.db)).toMatchObject({ subscriptions: 0 });
});

it('finds the customer of a purchase whose row was never stored', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await world.db.deleteFrom('billingCustomers').where('stripeId', '=', subscriber.customerId).execute();
  expect(await reconcile()).toEqual([1, 0]);
  expect(await findTier(subscriber)).toBe('pro');
});

it('counts accounts with two live subscriptions', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  const { accountId, customerId } = subscriber;
  const priceId = await world.findPrice('api_basic');
  const origin = { accountId, callId: randomUUID(), idempotencyKey: randomUUID() };
  await createSubscription(world.payments, { ...origin, customerId, priceId, collectsTax: false });
  await world.pay(subscriber);
  await syncAll();
  expect(await countDrift(world.db)).toMatchObject({ doubledAccounts: 1 });
  expect(await findTier(subscriber)).toBe('api_basic');
});
