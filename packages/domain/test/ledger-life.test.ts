import { randomUUID } from 'node:crypto';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { Tx } from '@uprez/db/database';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { listAllowanceErrors, settleReservation } from '@uprez/db/queries/usage/ledger';
import type { Actor } from '@uprez/domain/actor';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { changeTier } from '@uprez/domain/admin/change-tier';
import { grantUnits } from '@uprez/domain/admin/grant-units';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { releaseUnit, releaseUnits } from '@uprez/domain/usage/release-units';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { isFullRun } from '@uprez/testing/config';
import { makeUser } from '@uprez/testing/make-user';
import { type ClockedDb, openClockedDb, openTestDatabase, type TestDatabase } from '@uprez/testing/open-test-database';
import { testSeed } from '@uprez/testing/random';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleEndedPlans } from '../src/billing/plan/settle-plan.ts';
import { closeEndedAllowances } from '../src/usage/ensure-period.ts';
import { buyPlan, endPlan, type LedgerPlan, payPlan, refundPlan, renewPlan } from './billing/life/ledger-plan.ts';

/** Each has 25 operations: 1,000 in the default suite, 10,000 in the full one. */
const lives = isFullRun ? 400 : 40;
const operations = 25;

let database: TestDatabase;
let clock: ClockedDb;
let admin: Administrator;
const log = { info: () => {}, warn: () => {}, error: () => {} };
beforeAll(async () => {
  database = await openTestDatabase();
  clock = await openClockedDb(database.url, new Date('2026-11-21T10:00:00Z'));
  const { accountId } = await makeUser(clock.db);
  await updateUser(clock.db, accountId, { role: 'owner' });
  admin = { accountId, address: undefined, permission: 'grants.create' };
});
afterAll(async () => {
  await clock.close();
  await database.close();
});

/** `plan`: what was bought last. `refunded`: its invoices that have a refund. */
type World = { actor: Actor; now: Date; open: string[]; plan?: LedgerPlan; refunded: Set<string> };
type Step = { name: keyof typeof steps; pick: number };
const inTx = <T>(work: (tx: Tx) => Promise<T>) => clock.db.transaction().execute(work);
const request = (pick: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: randomUUID(),
    meter: (pick + i) % 3 ? ('ai' as const) : ('standard' as const),
    reason: 'Reserved for one image',
  }));
const travel = async (world: World, days: number) => {
  world.now = new Date(Number(world.now) + days * 86_400_000);
  await clock.setClock(world.now);
};
const isRejection = (error: unknown) => (error as { code?: string }).code === 'quota_exceeded';

const steps = {
  reserve: async ({ actor, open }: World, pick: number) => {
    const jobs = request(pick, 1 + (pick % 7));
    const { accountId } = actor;
    const acceptPartial = pick % 2 === 0;
    // Two processes reserve concurrently.
    const calls = [jobs, request(pick + 1, 2)].map((some) =>
      inTx((tx) => reserveUnits(tx, { accountId, jobs: some, acceptPartial })),
    );
    for (const outcome of await Promise.allSettled(calls))
      if (outcome.status === 'fulfilled') open.push(...outcome.value.reserved);
      else if (!isRejection(outcome.reason)) throw outcome.reason;
  },
  release: async (world: World, pick: number) => {
    const [id] = world.open.splice(pick % Math.max(1, world.open.length), 1);
    if (id) await Promise.all([1, 2].map(() => inTx((tx) => releaseUnit(tx, id, 'Refunded'))));
  },
  releaseAll: async (world: World) => {
    const ids = world.open.splice(0, 5);
    await inTx((tx) => releaseUnits(tx, { ...world.actor, ids, reason: 'Refunded' }));
  },
  settle: async (world: World, pick: number) => {
    const [id] = world.open.splice(pick % Math.max(1, world.open.length), 1);
    if (!id) return;
    // Delivered and canceled concurrently: one of them succeeds.
    await Promise.all([
      inTx((tx) => settleReservation(tx, id, 'Delivered')),
      inTx((tx) => releaseUnit(tx, id, 'Refunded')),
    ]);
  },
  grant: ({ actor, now }: World, pick: number) =>
    grantUnits(clock, {
      admin,
      userId: actor.accountId,
      units: 1 + (pick % 9),
      meter: (['ai', 'standard', 'shared'] as const)[pick % 3] ?? 'ai',
      expiresAt: new Date(Number(now) + (1 + pick) * 3 * 86_400_000),
      reason: 'A thank you',
    }),
  changeTier: ({ actor, now }: World, pick: number) =>
    changeTier(clock, {
      admin,
      userId: actor.accountId,
      tier: tiers[pick % tiers.length] ?? 'free',
      ...(pick > 10 && { endsAt: new Date(Number(now) + pick * 86_400_000) }),
    }),
  buy: async (world: World, pick: number) => {
    if (!world.plan) world.plan = await buyPlan(clock.db, world.actor.accountId, { now: world.now, pick });
  },
  renew: async (world: World) => {
    const { plan, actor } = world;
    if (plan && world.now >= plan.until) world.plan = await renewPlan(clock.db, actor.accountId, plan);
  },
  pay: async ({ plan, actor }: World) => {
    if (plan) await payPlan(clock.db, actor.accountId, plan);
  },
  refund: async ({ plan, actor, refunded }: World, pick: number) => {
    if (!plan || refunded.has(plan.invoiceId)) return;
    refunded.add(plan.invoiceId);
    await refundPlan(clock.db, actor.accountId, { plan, pick });
  },
  endPlan: async ({ plan, actor }: World, pick: number) => {
    if (plan && pick < 5) await endPlan(clock.db, actor.accountId, plan);
  },
  wait: (world: World, pick: number) => travel(world, pick + pick / 7),
  jumpBack: (world: World, pick: number) => travel(world, -5 * pick),
  sweep: async () => {
    await Promise.all([closeEndedAllowances(clock), settleEndedPlans({ db: clock.db, log })]);
  },
  read: ({ actor }: World) => readQuota(clock, { actor }),
} satisfies Record<string, (world: World, pick: number) => Promise<unknown>>;

const weights: Record<keyof typeof steps, number> = {
  reserve: 10,
  release: 3,
  releaseAll: 1,
  settle: 4,
  grant: 2,
  changeTier: 2,
  buy: 3,
  renew: 4,
  pay: 3,
  refund: 2,
  endPlan: 1,
  wait: 4,
  jumpBack: 1,
  sweep: 2,
  read: 1,
};
const names = Object.entries(weights).flatMap(([name, weight]) =>
  Array<Step['name']>(weight).fill(name as Step['name']),
);
const anyStep: fc.Arbitrary<Step> = fc.record({ name: fc.constantFrom(...names), pick: fc.nat(20) });

/** Checks that the ledger sums to the balance, and that no period and no allowance is exceeded. */
async function checkBooks({ actor, open }: World): Promise<void> {
  const errors = (await listAllowanceErrors(clock.db)).filter(({ subject }) => subject.startsWith('allowance'));
  expect(errors).toEqual([]);
  const { meters } = await readQuota(clock, { actor });
  const { rows } = await sql<{ meter: string; units: number }>`
    select meter, sum(units) as units from ledger where account_id = ${actor.accountId} group by meter`.execute(
    clock.db,
  );
  for (const { meter, units } of rows)
    expect(Math.max(0, units), meter).toBe(meters.find((quota) => quota.meter === meter)?.left ?? 0);
  // Units taken from a period never exceed it, except on plans without a hard stop.
  const taken = await sql<{ tier: Tier | null; units: number; used: number }>`
    select tier, allowances.units,
      -coalesce(sum(ledger.units) filter (where ledger.kind in ('reserve', 'release')), 0) as used
    from allowances left join ledger on ledger.allowance_id = allowances.id
    where allowances.account_id = ${actor.accountId} group by allowances.id`.execute(clock.db);
  for (const { tier, units, used } of taken.rows)
    if (tier === null || currentPlans[tier].hardStop) expect(used).toBeLessThanOrEqual(units);
  const unsettled = await sql<{ n: number }>`
    select count(*) as n from ledger reserved where account_id = ${actor.accountId} and kind = 'reserve' and not exists (
      select from ledger closed where closed.job_id = reserved.job_id and closed.kind in ('settle', 'release'))`.execute(
    clock.db,
  );
  expect(unsettled.rows[0]?.n).toBe(open.length);
}

test(`M13: the sum of the ledger equals the balance after ${lives * operations} random operations`, async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...tiers),
      fc.array(anyStep, { minLength: operations, maxLength: operations, size: 'max' }),
      async (tier, life) => {
        const world: World = {
          actor: await makeUser(clock.db, tier),
          now: new Date('2026-11-21T10:00:00Z'),
          open: [],
          refunded: new Set(),
        };
        await travel(world, 0);
        for (const { name, pick } of life) await steps[name](world, pick);
        await checkBooks(world);
        const { rows } = await sql<{ kind: string }>`select distinct kind from ledger`.execute(clock.db);
        for (const { kind } of rows) met.add(kind);
        await clock.db.deleteFrom('users').where('id', '=', world.actor.accountId).execute();
      },
    ),
    { seed: testSeed, numRuns: lives, endOnFailure: true },
  );
  expect([...met].toSorted()).toEqual(['expire', 'grant', 'release', 'reserve', 'reverse', 'settle']);
}, 300_000);
