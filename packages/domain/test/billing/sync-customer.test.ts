import { randomUUID } from 'node:crypto';
import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { assignPaymentEvent } from '@uprez/domain/billing/sync/assign-payment-event';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { openPayments } from '@uprez/payments/open-payments';
import { createRefund } from '@uprez/payments/refunds';
import { cancelAtPeriodEnd, cancelNow } from '@uprez/payments/subscription-changes';
import type { PaymentEvent } from '@uprez/payments/webhook-events';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';

const world = fileFixture(openBillingWorld);
const ctx = (payments = world.payments) => ({ db: world.db, log: world.log, payments });
const key = () => ({ idempotencyKey: randomUUID() });

const receive = ({ isLive: _, ...event }: PaymentEvent) => insertStripeEvent(world.db, event);
/** Reads every customer that is due. */
async function syncAll(): Promise<void> {
  while ((await assignPaymentEvent(ctx())) || (await syncNextCustomer(ctx())));
}

const findCustomer = ({ customerId }: Subscriber) =>
  world.db.selectFrom('billingCustomers').selectAll().where('stripeId', '=', customerId).executeTakeFirstOrThrow();
const findSubscription = ({ subscriptionId }: Subscriber) =>
  world.db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirst();
const listInvoices = ({ customerId }: Subscriber) =>
  world.db.selectFrom('invoices').selectAll().where('customerId', '=', customerId).orderBy('createdAt').execute();
const listLines = ({ customerId }: Subscriber) =>
  world.db
    .selectFrom('invoiceLines')
    .innerJoin('invoices', 'invoices.id', 'invoiceLines.invoiceId')
    .selectAll('invoiceLines')
    .where('customerId', '=', customerId)
    .execute();
const listEventStates = async ({ customerId }: Subscriber) =>
  (await world.db.selectFrom('stripeEvents').select('state').where('customerId', '=', customerId).execute()).map(
    ({ state }) => state,
  );
/** The tier of an account and the units that were granted for it. */
const listUnits = async ({ accountId }: Subscriber) => {
  const rows = world.db.selectFrom('ledger').innerJoin('allowances', 'allowances.id', 'ledger.allowanceId');
  const granted = await rows
    .select(['allowances.tier', 'ledger.units'])
    .where('ledger.accountId', '=', accountId)
    .where('allowances.tier', '=', 'pro')
    .orderBy('ledger.units')
    .execute();
  const user = world.db.selectFrom('users').select('tier').where('id', '=', accountId);
  return [(await user.executeTakeFirst())?.tier, ...granted.map(({ units }) => units)];
};
const makeDue = ({ customerId }: Subscriber) =>
  world.db
    .updateTable('billingCustomers')
    .set({ notBefore: new Date(0), leaseUntil: new Date(0) })
    .where('stripeId', '=', customerId)
    .execute();

it('stores the subscription, invoice, and lines of a new customer', async () => {
  const subscriber = await world.subscribe();
  await syncAll();
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'incomplete', tier: 'pro', cardLast4: null });
  await world.pay(subscriber);
  for (const event of await world.eventsOf(subscriber)) await receive(event);
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'incomplete' });
  await syncAll();
  const subscription = await findSubscription(subscriber);
  expect(subscription).toMatchObject({
    customerId: subscriber.customerId,
    status: 'active',
    priceId: await world.findPrice('pro'),
    tier: 'pro',
    planVersion: 1,
    interval: 'month',
    amount: 700,
    currency: 'usd',
    cancelsAtPeriodEnd: false,
    isPaused: false,
    cardBrand: 'visa',
    cardLast4: '4242',
  });
  const [invoice] = await listInvoices(subscriber);
  expect(invoice).toMatchObject({
    id: subscription?.latestInvoiceId,
    subscriptionId: subscriber.subscriptionId,
    status: 'paid',
    reason: 'subscription_create',
    subtotal: 700,
    total: 700,
    due: 700,
    paid: 700,
    refunded: 0,
  });
  expect(await listLines(subscriber)).toMatchObject([
    {
      invoiceId: invoice?.id,
      priceId: await world.findPrice('pro'),
      amount: 700,
      isProration: false,
      periodStart: subscription?.periodStart,
      periodEnd: subscription?.periodEnd,
    },
  ]);
  const user = world.db.selectFrom('users').select(['tier', 'planUntil']).where('id', '=', subscriber.accountId);
  expect(await user.execute()).toEqual([{ tier: 'pro', planUntil: subscription?.periodEnd }]);
  expect(await findCustomer(subscriber)).toMatchObject({ leaseUntil: null, failures: 0, error: null });
  expect(new Set(await listEventStates(subscriber))).toEqual(new Set(['done']));
});

it('ignores subscriptions to prices of other products', async () => {
  const subscriber = await world.subscribe();
  const product = (await world.post('products', { name: 'Other' })).id;
  const price = { product, currency: 'usd', unit_amount: '500', 'recurring[interval]': 'month' };
  const other = await world.post('prices', price);
  await world.post('subscriptions', {
    customer: subscriber.customerId,
    'items[0][price]': other.id,
    payment_behavior: 'default_incomplete',
    'billing_mode[type]': 'flexible',
  });
  await syncAll();
  const rows = await world.db.selectFrom('subscriptions').select('id').where('customerId', '=', subscriber.customerId);
  expect(await rows.execute()).toEqual([{ id: subscriber.subscriptionId }]);
  expect(await listInvoices(subscriber)).toHaveLength(1);
});

it('stores a refund that an event about its payment announces', async () => {
  const subscriber = await world.subscribe();
  const paymentIntentId = await world.pay(subscriber);
  await syncAll();
  await createRefund(world.payments, { ...key(), accountId: '1', callId: '1', paymentIntentId, amount: 300 });
  const event = {
    id: `evt_${randomUUID()}`,
    type: 'refund.created',
    objectType: 'refund',
    objectId: 're_1',
    customerId: null,
    paymentIntentId,
    createdAt: new Date(),
  };
  await insertStripeEvent(world.db, event);
  await insertStripeEvent(world.db, { ...event, id: `evt_${randomUUID()}`, paymentIntentId: 'pi_unknown' });
  await syncAll();
  const [invoice] = await listInvoices(subscriber);
  expect(invoice).toMatchObject({ paid: 700, refunded: 300 });
  const payments = world.db.selectFrom('payments').selectAll().where('customerId', '=', subscriber.customerId);
  expect(await payments.execute()).toMatchObject([
    {
      id: paymentIntentId,
      invoiceId: invoice?.id,
      amount: 700,
      received: 700,
      refunded: 300,
      lost: 0,
      status: 'succeeded',
      method: 'card',
      failureCode: null,
    },
  ]);
  const refunds = world.db.selectFrom('refunds').selectAll().where('paymentId', '=', paymentIntentId);
  expect(await refunds.execute()).toMatchObject([{ amount: 300, status: 'succeeded', callId: '1' }]);
  const events = await world.db
    .selectFrom('stripeEvents')
    .select(['paymentIntentId', 'customerId', 'state'])
    .where('type', '=', 'refund.created')
    .orderBy('paymentIntentId', 'desc')
    .execute();
  expect(events).toEqual([
    { paymentIntentId: 'pi_unknown', customerId: null, state: 'ignored' },
    { paymentIntentId, customerId: subscriber.customerId, state: 'done' },
  ]);
});

describe('events of one subscription', () => {
  const permutations = <Item>(items: readonly Item[]): Item[][] =>
    items.length < 2
      ? [[...items]]
      : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

  it('M3: end in one state in each of 24 orders, repeated and dropped', async () => {
    const results = new Set<string>();
    for (const [number, order] of permutations([0, 1, 2, 3]).entries()) {
      const subscriber = await world.subscribe();
      if (number % 2 === 0) await syncAll();
      await world.pay(subscriber);
      if (number % 3 === 0) await syncAll();
      const { subscriptionId } = subscriber;
      await cancelAtPeriodEnd(world.payments, { ...key(), subscriptionId, feedback: 'unused' });
      const all = await world.eventsOf(subscriber);
      const [first, ...others] = [all[0], all[1], all.at(-2), all.at(-1)].filter((one) => one !== undefined);
      expect(others).toHaveLength(3);
      const events = order.map((at) => [first, ...others][at]).filter((one) => one !== undefined);
      // Any one of them may be missing.
      const delivered = number % 4 === 0 ? events.slice(1) : events;
      for (const event of [...delivered, ...delivered.slice(0, 2)]) {
        await receive(event);
        if (number % 5 !== 0) await syncAll();
      }
      await syncAll();
      const subscription = await findSubscription(subscriber);
      const invoices = await listInvoices(subscriber);
      results.add(
        JSON.stringify([
          [
            subscription?.status,
            subscription?.cancelsAtPeriodEnd,
            subscription?.cancelFeedback,
            subscription?.cardLast4,
          ],
          invoices.map(({ status, paid, due }) => [status, paid, due]),
          (await listLines(subscriber)).map(({ amount, isProration }) => [amount, isProration]),
          [...new Set(await listEventStates(subscriber))],
          await listUnits(subscriber),
        ]),
      );
      const { wanted, mirrored } = await findCustomer(subscriber);
      expect(mirrored).toBe(wanted);
    }
    expect([...results]).toEqual([
      JSON.stringify([
        ['active', true, 'unused', '4242'],
        [['paid', 700, 700]],
        [[700, false]],
        ['done'],
        ['pro', 100, 1_000],
      ]),
    ]);
    expect(await reconcileSubscriptions(ctx())).toBe(0);
  });
});

describe('a read', () => {
  /** Starts to read a customer through a connection that holds the list of invoices. */
  async function startHeldRead() {
    const proxy = await openHoldingProxy(world.stripe.double.url, '/v1/invoices');
    const keys = { secretKey: 'sk_test_local', publishableKey: 'pk_test_local', webhookSecrets: ['whsec_local'] };
    const payments = openPayments({ ...keys, mode: 'test', apiUrl: proxy.url });
    onTestFinished(() => {
      payments.close();
      proxy.close();
    });
    const ended = syncNextCustomer(ctx(payments));
    await proxy.held;
    return { release: proxy.release, ended };
  }

  it('holds no database connection while Stripe is asked, and no second one starts', async () => {
    await syncAll();
    const subscriber = await world.subscribe();
    const { release, ended } = await startHeldRead();
    const { rows } = await sql<{ state: string }>`
      select state from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and state like '%transaction%'`.execute(world.db);
    expect(rows).toEqual([]);
    expect(await syncNextCustomer(ctx())).toBe(false);
    release();
    await ended;
    expect(await findSubscription(subscriber)).toMatchObject({ status: 'incomplete' });
  });

  it('writes nothing after another one took over, even if its state is older', async () => {
    await syncAll();
    const subscriber = await world.subscribe();
    const late = await startHeldRead();
    // The process that holds the claim is taken for dead.
    await makeDue(subscriber);
    await world.pay(subscriber);
    await syncAll();
    const before = [await findCustomer(subscriber), await findSubscription(subscriber), await listInvoices(subscriber)];
    expect(before[1]).toMatchObject({ status: 'active' });
    late.release();
    await late.ended;
    expect([
      await findCustomer(subscriber),
      await findSubscription(subscriber),
      await listInvoices(subscriber),
    ]).toEqual(before);
  });

  it('is repeated for an event that arrives meanwhile', async () => {
    await syncAll();
    const subscriber = await world.subscribe();
    const { release, ended } = await startHeldRead();
    await world.pay(subscriber);
    for (const event of await world.eventsOf(subscriber)) await receive(event);
    release();
    await ended;
    expect(await findCustomer(subscriber)).toMatchObject({ mirrored: 1, leaseUntil: null });
    expect(new Set(await listEventStates(subscriber))).toEqual(new Set(['pending']));
    await syncAll();
    expect(await findSubscription(subscriber)).toMatchObject({ status: 'active' });
    expect(new Set(await listEventStates(subscriber))).toEqual(new Set(['done']));
  });

  it('is repeated later when Stripe fails, and keeps the stored state', async () => {
    const subscriber = await world.subscribe();
    await syncAll();
    for (const event of await world.eventsOf(subscriber)) await receive(event);
    const fail = () =>
      world.stripe.double.failures.add({ when: 'before', kind: 'error', times: 2, path: '/v1/invoices' });
    fail();
    await syncAll();
    expect(await findCustomer(subscriber)).toMatchObject({ failures: 1, mirrored: 1, leaseUntil: null });
    expect((await findCustomer(subscriber)).error).toContain('unavailable');
    expect(await countBacklog(world.db)).toMatchObject({ pending: 1, failing: 1 });
    expect(await findSubscription(subscriber)).toMatchObject({ status: 'incomplete' });
    // Not due yet.
    expect(await syncNextCustomer(ctx())).toBe(false);
    await makeDue(subscriber);
    await syncAll();
    expect(await findCustomer(subscriber)).toMatchObject({ failures: 0, error: null });
    expect(await countBacklog(world.db)).toEqual({ pending: 0, failing: 0, oldestS: 0 });
    expect(world.warnings.at(-1)).toMatchObject({ customerId: subscriber.customerId, failures: 1, delayS: 5 });
  });

  it('stores what is canceled, and the events of an account that was deleted', async () => {
    const subscriber = await world.subscribe();
    await world.pay(subscriber);
    await syncAll();
    await world.db.deleteFrom('users').where('id', '=', subscriber.accountId).execute();
    await cancelNow(world.payments, { ...key(), subscriptionId: subscriber.subscriptionId });
    for (const event of await world.eventsOf(subscriber)) await receive(event);
    await syncAll();
    expect(await findCustomer(subscriber)).toMatchObject({ accountId: null });
    expect(await findSubscription(subscriber)).toMatchObject({ status: 'canceled', endedAt: expect.any(Date) });
    expect(await listInvoices(subscriber)).toMatchObject([{ status: 'paid', paid: 700 }]);
  });
});

it('gives each customer to one of several readers', async () => {
  await syncAll();
  const subscribers: Subscriber[] = [];
  for (let number = 0; number < 6; number += 1) subscribers.push(await world.subscribe());
  const reads = await Promise.all(Array.from({ length: 12 }, () => syncNextCustomer(ctx())));
  expect(reads.filter(Boolean)).toHaveLength(6);
  for (const subscriber of subscribers) expect(await findCustomer(subscriber)).toMatchObject({ fence: 1, mirrored: 1 });
});
