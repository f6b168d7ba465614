import { randomUUID } from 'node:crypto';
import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { mailUpcomingDates } from '@uprez/domain/billing/billing-mails';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import {
  cancelAtPeriodEnd,
  clearPause,
  keepSubscription,
  pauseSubscription,
  upgradeSubscription,
} from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openClockedDb } from '@uprez/testing/open-test-database';
import { expect, it, onTestFinished } from 'vitest';

const world = fileFixture(openBillingWorld);
const key = () => ({ idempotencyKey: randomUUID() });

/** Reads the customer twice, as after repeated events. */
async function sync({ accountId }: Subscriber) {
  for (let time = 0; time < 2; time += 1) {
    await requestCustomerSync(world.db, accountId);
    while (await syncNextCustomer(world));
  }
}
/** The emails that were queued since the last call. */
function openInbox({ accountId }: { accountId: string }) {
  let read = 0;
  return async () => {
    const rows = world.db.selectFrom('outbox').select('payload').where('userId', '=', accountId).orderBy('id');
    const mails = (await rows.execute()).map(({ payload }) => payload).slice(read);
    read += mails.length;
    return mails;
  };
}

it('sends one email for each change of a subscription', async () => {
  const subscriber = await world.subscribe();
  const inbox = openInbox(subscriber);
  const { subscriptionId } = subscriber;
  const read = async () => {
    await sync(subscriber);
    return await inbox();
  };
  expect(await read()).toEqual([]);
  const paymentIntentId = await world.pay(subscriber);
  const periodEnd = async () =>
    (await getSubscription(world.payments, subscriptionId)).subscription.periodEnd.toISOString();
  const bought = { tier: 'pro', currency: 'usd' };
  expect(await read()).toEqual([
    { mail: 'plan_subscribed', ...bought, interval: 'month', amount: 700, tax: 0, nextAt: await periodEnd() },
  ]);

  const { subscription } = await getSubscription(world.payments, subscriptionId);
  const priceId = await world.findPrice('api_basic');
  const change = { subscriptionId, itemId: subscription.itemId, priceId, prorationDate: new Date() };
  await upgradeSubscription(world.payments, { ...key(), ...change });
  const [changed, ...noMore] = await read();
  expect(noMore).toEqual([]);
  expect(changed).toMatchObject({
    mail: 'plan_changed',
    from: { tier: 'pro', interval: 'month' },
    ...{ tier: 'api_basic', interval: 'month', price: 1_900, nextAt: await periodEnd() },
  });
  expect(Number(changed?.amount)).toBeGreaterThanOrEqual(1_200);

  await cancelAtPeriodEnd(world.payments, { ...key(), subscriptionId });
  expect(await read()).toEqual([{ mail: 'plan_canceled', tier: 'api_basic', endsAt: await periodEnd() }]);
  await keepSubscription(world.payments, { ...key(), subscriptionId });
  expect(await read()).toEqual([]);
  const resumesAt = new Date((Math.floor(Date.now() / 1_000) + 86_400) * 1_000);
  await pauseSubscription(world.payments, { ...key(), subscriptionId, resumesAt });
  expect(await read()).toEqual([
    { mail: 'plan_paused', tier: 'api_basic', from: await periodEnd(), until: await periodEnd() },
  ]);
  await clearPause(world.payments, { ...key(), subscriptionId });
  expect(await read()).toEqual([{ mail: 'plan_resumed', tier: 'api_basic', nextAt: await periodEnd() }]);

  for (const amount of [300, 200]) {
    await world.post('refunds', { payment_intent: paymentIntentId, amount: String(amount) });
    expect(await read()).toEqual([{ mail: 'payment_refunded', currency: 'usd', paid: 700, amount, removed: [] }]);
  }

  await cancelAtPeriodEnd(world.payments, { ...key(), subscriptionId });
  await world.advance(subscriber, { until: 'period_end' });
  await world.advance(subscriber, { seconds: 60 });
  expect(await read()).toEqual([{ mail: 'plan_ended', tier: 'api_basic', reason: 'canceled' }]);
});

it('names the plan that an administrator gave in emails about the subscription, until it ends', async () => {
  const subscriber = await world.subscribe();
  const { accountId, subscriptionId } = subscriber;
  await world.pay(subscriber);
  await sync(subscriber);
  const inbox = openInbox(subscriber);
  await inbox();
  const setOverride = (overrideTier: 'enterprise' | null) =>
    world.db.updateTable('users').set({ overrideTier }).where('id', '=', accountId).execute();
  const cancel = async () => {
    await cancelAtPeriodEnd(world.payments, { ...key(), subscriptionId });
    await sync(subscriber);
    const [mail] = await inbox();
    await keepSubscription(world.payments, { ...key(), subscriptionId });
    await sync(subscriber);
    return mail;
  };
  await setOverride('enterprise');
  expect(await cancel()).toMatchObject({ mail: 'plan_canceled', tier: 'pro', override: 'enterprise' });
  await setOverride(null);
  expect(await cancel()).not.toHaveProperty('override');
});

it('names the unused images that a refund removed', async () => {
  const subscriber = await world.subscribe();
  const payment_intent = await world.pay(subscriber);
  const inbox = openInbox(subscriber);
  const read = async () => {
    await sync(subscriber);
    return await inbox();
  };
  expect(await read()).toMatchObject([{ mail: 'plan_subscribed' }]);
  await world.post('refunds', { payment_intent, amount: '350' });
  const removed = [
    { units: 50, meter: 'ai' },
    { units: 500, meter: 'standard' },
  ];
  expect(await read()).toMatchObject([{ mail: 'payment_refunded', amount: 350, removed }]);
});

it('sends nothing about a purchase that was never paid', async () => {
  const subscriber = await world.subscribe();
  await sync(subscriber);
  await world.advance(subscriber, { seconds: 24 * 3_600 });
  await sync(subscriber);
  expect(await openInbox(subscriber)()).toEqual([]);
});

it('sends one email a month before a card expires, and one 14 days before a yearly plan renews', async () => {
  const clock = await openClockedDb(world.databaseUrl, new Date('2026-11-10T00:00:00Z'));
  onTestFinished(clock.close);
  const [from, until] = [new Date('2025-12-20T10:00:00Z'), new Date('2026-12-20T10:00:00Z')];
  const subscribe = async (change: object, interval: 'month' | 'year' = 'year') => {
    const { accountId } = await makeUser(world.db);
    const { subscriptionId } = await makePaidPlan(world.db, { accountId, tier: 'pro', interval, from, until });
    const card = { cardBrand: 'visa', cardLast4: '4242', cardExpMonth: 12, cardExpYear: 2026 };
    const set = { ...card, latestInvoiceId: `in_${subscriptionId}`, ...change };
    await world.db.updateTable('subscriptions').set(set).where('id', '=', subscriptionId).execute();
    return openInbox({ accountId });
  };
  const inbox = await subscribe({ nextAmount: 6_300 });
  const monthly = await subscribe({ cardExpMonth: 2, cardExpYear: 2027 }, 'month');
  const silent = [
    await subscribe({ cancelsAtPeriodEnd: true }),
    await subscribe({ status: 'canceled' }),
    await subscribe({ cardExpMonth: 11 }, 'month'),
  ];
  const run = async (time: string) => {
    await clock.setClock(new Date(time));
    await mailUpcomingDates({ db: clock.db });
    await mailUpcomingDates({ db: clock.db });
    return await inbox();
  };
  expect(await run('2026-11-30T23:59:59Z')).toEqual([]);
  expect(await run('2026-12-01T00:00:00Z')).toEqual([
    { mail: 'card_expiring', brand: 'visa', last4: '4242', month: 12, year: 2026 },
  ]);
  expect(await run('2026-12-06T09:59:59Z')).toEqual([]);
  expect(await run('2026-12-06T10:00:00Z')).toEqual([
    { mail: 'renewal_ahead', tier: 'pro', amount: 6_300, currency: 'usd', at: until.toISOString() },
  ]);
  expect(await run('2026-12-19T00:00:00Z')).toEqual([]);
  expect(await monthly()).toEqual([]);
  const [canceled, ended, expiresEarlier] = await Promise.all(silent.map((read) => read()));
  expect([canceled, ended]).toEqual([[], []]);
  expect(expiresEarlier).toMatchObject([{ mail: 'card_expiring', month: 11 }]);
});
