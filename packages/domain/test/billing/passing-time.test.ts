import { randomUUID } from 'node:crypto';
import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { lookupKeyOf, makeCatalog, productIdOf } from '@uprez/domain/billing/catalog';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { createPrice } from '@uprez/payments/catalog';
import { upgradeSubscription } from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
/** The units that the tests use belong to no job. */
afterEach(async () => {
  const errors = await listAllowanceErrors(world.db);
  expect(errors.filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]);
});

const dayS = 86_400;
const key = () => ({ idempotencyKey: randomUUID() });

/** Reads the customer from Stripe as after an event. */
async function sync({ accountId }: Subscriber) {
  await requestCustomerSync(world.db, accountId);
  while (await syncNextCustomer(world));
}
/** Lets time pass in steps of seconds, and reads the customer after each. */
async function pass(subscriber: Subscriber, ...steps: number[]) {
  for (const seconds of steps) {
    await world.advance(subscriber, { seconds });
    await sync(subscriber);
  }
}
/** Lets time pass until the renewal, then until it is paid. */
async function renew(subscriber: Subscriber) {
  await world.advance(subscriber, { until: 'period_end' });
  await sync(subscriber);
  await pass(subscriber, 1_800, 3_600);
}

/** Units of AI images that a tier gave for each invoice and cycle, oldest first, by the ledger. */
async function listGrants({ accountId }: Subscriber, tier: 'pro' | 'api_basic' = 'pro') {
  const rows = await world.db
    .selectFrom('ledger')
    .innerJoin('allowances', 'allowances.id', 'ledger.allowanceId')
    .innerJoin('invoices', 'invoices.id', 'allowances.ref')
    .select(({ fn }) => ['invoices.reason', 'allowances.cycle', fn.sum<string>('ledger.units').as('units')])
    .where('allowances.accountId', '=', accountId)
    .where('allowances.tier', '=', tier)
    .where('allowances.meter', 'in', ['ai', 'shared'])
    .where('ledger.kind', '=', 'grant')
    .groupBy(['allowances.id', 'invoices.id'])
    .orderBy('invoices.createdAt')
    .orderBy('allowances.cycle')
    .execute();
  return rows.map(({ reason, cycle, units }) => ({ reason, cycle, units: Number(units) }));
}
const countPlanAllowances = async ({ accountId }: Subscriber, tier: 'pro' | 'api_basic' = 'pro') =>
  (
    await world.db
      .selectFrom('allowances')
      .select('meter')
      .where('accountId', '=', accountId)
      .where('tier', '=', tier)
      .execute()
  ).length;
const unitsLeft = async ({ accountId }: Subscriber) => {
  const open = world.db.selectFrom('allowances').select('unitsLeft').where('accountId', '=', accountId);
  return (await open.where('closedAt', 'is', null).where('meter', '=', 'ai').execute()).map((row) => row.unitsLeft);
};
const use = ({ accountId }: Subscriber, units: number) =>
  world.db.transaction().execute((tx) => {
    const jobs = Array.from({ length: units }, () => ({ id: randomUUID(), meter: 'ai' as const, reason: 'one image' }));
    return reserveUnits(tx, { accountId, jobs });
  });

it('gives the units of a month once while times move, over 3 renewals', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await sync(subscriber);
  for (let month = 0; month < 3; month += 1) {
    await use(subscriber, 10);
    await pass(subscriber, 1, 60, 3_600, dayS, 6 * dayS, 13 * dayS);
    expect(await unitsLeft(subscriber)).toEqual([90]);
    await renew(subscriber);
    expect(await unitsLeft(subscriber)).toEqual([100]);
  }
  const renewal = { reason: 'subscription_cycle', cycle: 0, units: 100 };
  expect(await listGrants(subscriber)).toEqual([
    { ...renewal, reason: 'subscription_create' },
    renewal,
    renewal,
    renewal,
  ]);
  expect(await countPlanAllowances(subscriber)).toBe(2 * 4);
});

it('opens a renewal that starts at the second at which the period before had started', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await sync(subscriber);
  await use(subscriber, 10);
  const started = await world.db
    .selectFrom('allowances')
    .select('startsAt')
    .where('ref', 'is not', null)
    .where('accountId', '=', subscriber.accountId)
    .executeTakeFirstOrThrow();
  await world.advance(subscriber, { until: 'period_end' });
  // As if both calls had come within one second.
  const { periodStart } = (await getSubscription(world.payments, subscriber.subscriptionId)).subscription;
  await world.db
    .updateTable('allowances')
    .set({ startsAt: periodStart })
    .where('startsAt', '=', started.startsAt)
    .execute();
  await pass(subscriber, 7_200);
  expect(await unitsLeft(subscriber)).toEqual([100]);
});

it('M12: gives a yearly plan the units of 12 months, each once, over 3 renewals', async () => {
  const plan = makeCatalog().find(({ tier }) => tier === 'pro');
  const [monthly] = plan?.prices ?? [];
  if (!monthly) throw new Error('no price of Pro');
  const yearly = { ...monthly, interval: 'year', amount: monthly.amount * 10 } as const;
  const { planVersion, ...sold } = yearly;
  const price = await createPrice(world.payments, {
    ...sold,
    ...key(),
    productId: productIdOf('pro'),
    currency: 'usd',
    lookupKey: lookupKeyOf('pro', yearly),
    sold: { tier: 'pro', planVersion },
  });
  const subscriber = await world.subscribe('pro', price.id);
  await world.pay(subscriber);
  await sync(subscriber);
  for (let year = 0; year < 3; year += 1) {
    await pass(subscriber, ...Array.from({ length: 21 }, () => 17 * dayS));
    await renew(subscriber);
  }
  const grants = await listGrants(subscriber);
  const year = (reason: string) => Array.from({ length: 12 }, (_, cycle) => ({ reason, cycle, units: 100 }));
  const renewed = year('subscription_cycle');
  expect(grants).toEqual([...year('subscription_create'), ...renewed, ...renewed, ...renewed.slice(0, 1)]);
  expect(await countPlanAllowances(subscriber)).toBe(2 * 37);
});

it('gives the units of both plans once when a plan is upgraded, also after its renewal', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await sync(subscriber);
  await pass(subscriber, dayS, 9 * dayS);
  const { subscription } = await getSubscription(world.payments, subscriber.subscriptionId);
  const { id: subscriptionId, itemId } = subscription;
  const priceId = await world.findPrice('api_basic');
  await upgradeSubscription(world.payments, { ...key(), subscriptionId, itemId, priceId, prorationDate: new Date() });
  await sync(subscriber);
  await pass(subscriber, 60, dayS, 20 * dayS);
  await renew(subscriber);
  await pass(subscriber, dayS);
  expect(await listGrants(subscriber)).toEqual([{ reason: 'subscription_create', cycle: 0, units: 100 }]);
  const grants = await listGrants(subscriber, 'api_basic');
  expect(grants.map(({ reason, cycle }) => ({ reason, cycle }))).toEqual([
    { reason: 'subscription_update', cycle: 0 },
    { reason: 'subscription_cycle', cycle: 0 },
  ]);
  expect(new Set(grants.map(({ units }) => units)).size).toBe(1);
});
