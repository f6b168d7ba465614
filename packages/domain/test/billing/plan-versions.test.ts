import { formerPlans, type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { valueOfPlan } from '@uprez/db/value-of-plan';
import { type CatalogPlan, makeCatalog } from '@uprez/domain/billing/catalog';
import { changePlan } from '@uprez/domain/billing/changes/change-plan';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { recordEvent } from '@uprez/domain/events/record-event';
import { recheckPipeline } from '@uprez/domain/jobs/attempts/claim-next-job';
import { checkPaidUnits } from '@uprez/domain/usage/check-ledger';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openChangeWorld } from './changes/open-change-world.ts';

const world = fileFixture(openChangeWorld);

/** The Pro and API Basic of before: cheaper, with fewer units and other limits. */
const former = {
  pro: {
    ...currentPlans.pro,
    ...{ version: 0, price: 5, included: { ai: 60, standard: 600 }, queueWeight: 2, webhooks: 'feed' },
    maxFactor: { ai: 6, standard: 8 },
  },
  api_basic: { ...currentPlans.api_basic, version: 0, price: 15, included: { shared: 500 } },
} satisfies Partial<Record<Tier, Plan>>;

const formerCatalog = makeCatalog()
  .filter(({ tier }) => tier in former)
  .map((plan): CatalogPlan => {
    const { price, version: planVersion } = former[plan.tier as keyof typeof former];
    return { ...plan, prices: [{ interval: 'month', planVersion, amount: price * 100 }] };
  });
const sell = (catalog: readonly CatalogPlan[]) => syncCatalog(world.ctx, { catalog, onChange: () => {} });

/** Subscribers who bought before the plans changed. */
let early: Record<'keeping' | 'toYear' | 'paused' | 'basic', Subscriber>;
beforeAll(async () => {
  formerPlans.pro = [former.pro];
  formerPlans.api_basic = [former.api_basic];
  await sell(formerCatalog);
  const [keeping, toYear, paused] = [await world.buy(), await world.buy(), await world.buy()];
  early = { keeping, toYear, paused, basic: await world.buy('api_basic') };
  await sell(makeCatalog({ pro: 7_000 }));
});
afterAll(() => {
  delete formerPlans.pro;
  delete formerPlans.api_basic;
});
afterEach(async () => {
  expect(await checkPaidUnits(world)).toEqual([]);
});

const findUser = ({ accountId }: Subscriber) =>
  world.db.selectFrom('users').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
const readIncluded = async ({ accountId }: Subscriber) =>
  (await readQuota(world, { actor: { accountId } })).meters.map(({ meter, included }) => [meter, included]);
async function renew(subscriber: Subscriber) {
  await world.advance(subscriber, { until: 'period_end' });
  await world.sync(subscriber);
  await world.advance(subscriber, { seconds: 2 * 3_600 });
  return await world.sync(subscriber);
}
const preview = async ({ accountId }: Subscriber, priceId: string) =>
  await previewChange(world.ctx, { accountId, priceId });
const yearlyPrice = async () =>
  (
    await world.db
      .selectFrom('prices')
      .select('id')
      .where('interval', '=', 'year')
      .where('active', '=', true)
      .executeTakeFirstOrThrow()
  ).id;

it('keeps price and units of a subscriber through a renewal, and sells the current ones', async () => {
  const fresh = await world.buy();
  expect(await readIncluded(fresh)).toEqual([
    ['ai', 100],
    ['standard', 1_000],
  ]);
  const bought = [
    ['ai', 60],
    ['standard', 600],
  ];
  expect(await readIncluded(early.keeping)).toEqual(bought);
  const { subscription, nextBill } = await renew(early.keeping);
  expect(subscription?.plan.price.amount).toBe(500);
  expect(nextBill).toMatchObject({ reason: 'renewal', amount: 500 });
  expect((await world.readInvoices(early.keeping)).map(({ total }) => total)).toEqual([500, 500]);
  expect(await readIncluded(early.keeping)).toEqual(bought);
  expect(await findUser(early.keeping)).toMatchObject({ tier: 'pro', planVersion: 0, planShare: 100 });
});

it('decides by the version of the account: limits, queue weight, and event feed', async () => {
  const ctx = await openTestContext();
  const { job } = await makeJob(ctx, await makeUser(ctx.db, 'api_pro'), { factor: 2 });
  await ctx.close();
  const fresh = await world.buy();
  const large = (subscriber: Subscriber): JobRow => ({
    ...job,
    accountId: subscriber.accountId,
    recipe: { ...job.recipe, scaleFactor: 7 },
    plan: { ...job.plan, engine: 'photo-fast' },
  });
  expect(recheckPipeline({ job: large(fresh), account: await findUser(fresh) })).toBeUndefined();
  expect(recheckPipeline({ job: large(early.keeping), account: await findUser(early.keeping) })).toMatchObject({
    detail: expect.stringContaining('up to 6x'),
    meta: { unlockedBy: 'pro' },
  });
  const ids = [early.keeping.accountId, fresh.accountId];
  const { rows } = await sql<{ weight: number }>`
    select ${valueOfPlan(sql`users`, ({ queueWeight }) => queueWeight)} as weight from users
    where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`.execute(world.db);
  expect(rows.map(({ weight }) => weight)).toEqual([2, currentPlans.pro.queueWeight]);
  const event = { type: 'quota.warning', isSandbox: false, data: {} } as const;
  await world.db.transaction().execute(async (tx) => {
    for (const accountId of ids) await recordEvent(tx, { ...event, accountId });
  });
  const stored = await world.db.selectFrom('events').select('accountId').where('accountId', 'in', ids).execute();
  expect(stored).toEqual([{ accountId: early.keeping.accountId }]);
});

it('moves to the current version with a yearly price', async () => {
  const { accountId } = early.toYear;
  const { previewId, plan } = await preview(early.toYear, await yearlyPrice());
  expect(plan.price.amount).toBe(7_000);
  await changePlan(world.ctx, { accountId, previewId });
  expect(await findUser(early.toYear)).toMatchObject({ tier: 'pro', planVersion: 1 });
  expect(await readIncluded(early.toYear)).toEqual([
    ['ai', 100],
    ['standard', 1_000],
  ]);
});

it('resumes at the current price after a pause, as its preview says', async () => {
  const { accountId } = early.paused;
  await pausePlan(world.ctx, { accountId, months: 1 });
  await renew(early.paused);
  const own = (await readBilling(world.ctx, accountId)).subscription?.plan.priceId ?? '';
  const { previewId, today } = await preview(early.paused, own);
  expect(today?.total).toBe(700);
  const { billing } = await resumePlan(world.ctx, { accountId, previewId });
  expect(billing.subscription?.plan.price.amount).toBe(700);
  expect(await findUser(early.paused)).toMatchObject({ tier: 'pro', planVersion: 1 });
});

it('downgrades from a former price to a current one at the end of the period', async () => {
  const { accountId } = early.basic;
  expect(await readIncluded(early.basic)).toEqual([['shared', 500]]);
  const { previewId, kind, next } = await preview(early.basic, await world.findPrice('pro'));
  expect({ kind, next: next.amount }).toEqual({ kind: 'downgrade', next: 700 });
  await changePlan(world.ctx, { accountId, previewId });
  expect(await readIncluded(early.basic)).toEqual([['shared', 500]]);
  await renew(early.basic);
  expect(await findUser(early.basic)).toMatchObject({ tier: 'pro', planVersion: 1 });
  expect(await readIncluded(early.basic)).toEqual([
    ['ai', 100],
    ['standard', 1_000],
  ]);
});

it('gives the current version to an account while an administrator set its plan', async () => {
  const { accountId } = early.keeping;
  const override = (tier: Tier | null) =>
    world.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ overrideTier: tier }).where('id', '=', accountId).execute();
      await settlePlan(tx, accountId);
    });
  await override('pro');
  expect(planOf(await findUser(early.keeping))).toBe(currentPlans.pro);
  await override(null);
  expect(planOf(await findUser(early.keeping))).toBe(former.pro);
});

it('finds units of another version than the one that was paid, and versions that are not listed', async () => {
  const { accountId } = early.keeping;
  const setUnits = (units: number) =>
    world.db
      .updateTable('allowances')
      .set({ units })
      .where('accountId', '=', accountId)
      .where('closedAt', 'is', null)
      .where('meter', '=', 'ai')
      .execute();
  await setUnits(100);
  expect((await checkPaidUnits(world)).map(({ error }) => error)).toEqual(['has 100 units, the plan has 60']);
  await setUnits(60);
  const { subscriptionId } = early.keeping;
  const setVersion = (planVersion: number) =>
    world.db.updateTable('subscriptions').set({ planVersion }).where('id', '=', subscriptionId).execute();
  await setVersion(9);
  const errors = new Set((await checkPaidUnits(world)).map(({ error }) => error));
  expect([...errors]).toEqual(["was bought as version 9 of the plan, which isn't listed"]);
  await setVersion(0);
});
