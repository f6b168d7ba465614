import { randomUUID } from 'node:crypto';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import type { Actor } from '@uprez/domain/actor';
import { changeTier } from '@uprez/domain/admin/change-tier';
import { grantUnits } from '@uprez/domain/admin/grant-units';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { releaseUnit } from '@uprez/domain/usage/release-units';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { makeUser } from '@uprez/testing/make-user';
import { type ClockedDb, openClockedDb, openTestDatabase, type TestDatabase } from '@uprez/testing/open-test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { settleEndedPlans, settlePlan } from '../src/billing/plan/settle-plan.ts';
import { closeEndedAllowances } from '../src/usage/ensure-period.ts';

let database: TestDatabase;
let clock: ClockedDb;
let admin: Actor;
const ctx = {
  get db() {
    return clock.db;
  },
  log: { info: () => {}, warn: () => {}, error: () => {} },
};
const start = new Date('2026-11-21T10:00:00Z');
const goTo = (time: string) => clock.setClock(new Date(time));

beforeAll(async () => {
  database = await openTestDatabase();
  clock = await openClockedDb(database.url, start);
  admin = await makeUser(clock.db);
  await updateUser(clock.db, admin.accountId, { role: 'owner' });
});
beforeEach(() => clock.setClock(start));
// The tests reserve units without jobs.
afterEach(async () =>
  expect((await listAllowanceErrors(clock.db)).filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]),
);
afterAll(async () => {
  await clock.close();
  await database.close();
});

/** Creates an account in the first cycle of its paid plan. */
async function makeSubscriber(tier: Tier, anchor: string): Promise<Actor> {
  const actor = await makeUser(clock.db, tier);
  await updateUser(clock.db, actor.accountId, { periodAnchor: new Date(anchor) });
  return actor;
}
const setTier = ({ accountId }: Actor, tier: Tier, endsAt?: string) =>
  changeTier(ctx, {
    admin: { accountId: admin.accountId, address: undefined, permission: 'users.manage' },
    userId: accountId,
    tier,
    ...(endsAt && { endsAt: new Date(endsAt) }),
  });
const use = async ({ accountId }: Actor, count: number, meter: 'ai' | 'standard' = 'ai') => {
  const jobs = Array.from({ length: count }, () => ({ id: randomUUID(), meter, reason: 'one image' }));
  return (await clock.db.transaction().execute((tx) => reserveUnits(tx, { accountId, jobs }))).reserved;
};
const left = async (actor: Actor) =>
  Object.fromEntries((await readQuota(ctx, { actor })).meters.map((meter) => [meter.meter, meter.left]));
const resets = async (actor: Actor) => (await readQuota(ctx, { actor })).period.endsAt.toISOString();
/** Returns units and reasons of an account's grants and expiries on a meter, oldest first. */
const reasons = async ({ accountId }: Actor, meter = 'ai') =>
  (
    await clock.db
      .selectFrom('ledger')
      .select(['units', 'reason'])
      .where('accountId', '=', accountId)
      .where('meter', '=', meter as 'ai')
      .where('kind', 'in', ['grant', 'expire'])
      .orderBy('id')
      .execute()
  ).map(({ units, reason }) => `${units} ${reason}`);
/** Returns the allowances of the plan by period. */
const given = async ({ accountId }: Actor) =>
  clock.db
    .selectFrom('allowances')
    .select(['meter', 'tier', 'startsAt', 'units'])
    .where('accountId', '=', accountId)
    .where('source', '=', 'plan')
    .orderBy('startsAt')
    .orderBy('meter')
    .execute();

/** Returns 14 times per month, across leap days and daylight saving changes. */
const months = (from: string, count: number) =>
  Array.from({ length: count * 14 }, (_, i) => new Date(Number(new Date(from)) + i * 2.2 * 86_400_000));

describe('over 13 months', () => {
  it.each([
    ['free', undefined, '2027-11-25T00:00:00Z'],
    ['pro', '2027-01-31T08:30:00Z', '2027-01-31T09:00:00Z'],
    ['api_basic', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00Z'],
  ] as const)('grants %s each period exactly once, also for concurrent calls', async (tier, anchor, from) => {
    const actor = anchor ? await makeSubscriber(tier, anchor) : await makeUser(clock.db);
    for (const at of months(from, 13)) {
      await clock.setClock(at);
      await Promise.all([left(actor), left(actor), use(actor, 1, 'standard'), closeEndedAllowances(ctx)]);
    }
    const rows = await given(actor);
    const [first] = rows;
    const own = rows.filter(({ meter }) => meter === first?.meter);
    expect(own.length).toBeGreaterThanOrEqual(13);
    expect(new Set(own.map(({ startsAt }) => startsAt.toISOString())).size).toBe(own.length);
    const grants = (await reasons(actor, first?.meter)).filter((line) => !line.startsWith('-'));
    expect(grants).toHaveLength(own.length);
    expect(new Set(grants).size).toBe(own.length);
    if (anchor)
      expect(own.slice(0, 3).map(({ startsAt }) => startsAt.toISOString())).toEqual(
        anchor.startsWith('2027')
          ? ['2027-01-31T08:30:00.000Z', '2027-02-28T08:30:00.000Z', '2027-03-31T08:30:00.000Z']
          : ['2028-02-29T23:59:59.999Z', '2028-03-29T23:59:59.999Z', '2028-04-29T23:59:59.999Z'],
      );
  });

  it('keeps the allowances when the clock jumps ahead and back', async () => {
    const actor = await makeUser(clock.db);
    await use(actor, 4);
    await goTo('2027-12-24T00:00:00Z');
    expect(await left(actor)).toEqual({ ai: 10, standard: 100 });
    await use(actor, 10);
    await clock.setClock(start);
    expect(await left(actor)).toEqual({ ai: 6, standard: 100 });
    await use(actor, 6);
    await expect(use(actor, 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await goTo('2027-12-25T00:00:00Z');
    expect(await left(actor)).toEqual({ ai: 0, standard: 100 });
    await expect(use(actor, 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await reasons(actor)).toEqual([
      '10 Free plan, November 2026: 10 AI images',
      '-6 Expired on November 30, 2026: 6 AI images unused',
      '10 Free plan, December 2027: 10 AI images',
      '6 Free plan, November 2026: 6 AI images left',
    ]);
  });
});

test('a month ends at the exact millisecond', async () => {
  const actor = await makeUser(clock.db);
  await goTo('2026-11-30T23:59:59.999Z');
  await use(actor, 10);
  expect(await resets(actor)).toBe('2026-12-01T00:00:00.000Z');
  await expect(use(actor, 1)).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: 'You have no AI images left. You need 1. Your quota resets on Dec 1, 2026. Upgrade your plan for more.',
    meta: { meter: 'ai', have: 0, needs: 1, resetsAt: '2026-12-01T00:00:00.000Z', upgradeUrl: '/pricing' },
  });
  await goTo('2026-12-01T00:00:00Z');
  expect(await use(actor, 10)).toHaveLength(10);
  expect(await resets(actor)).toBe('2027-01-01T00:00:00.000Z');
});

test('the sweep closes unused periods without opening new ones', async () => {
  const actor = await makeUser(clock.db);
  await use(actor, 3);
  await goTo('2027-02-10T00:00:00Z');
  expect(await closeEndedAllowances(ctx)).toBeGreaterThan(0);
  expect(await reasons(actor)).toEqual([
    '10 Free plan, November 2026: 10 AI images',
    '-7 Expired on November 30, 2026: 7 AI images unused',
  ]);
  expect(await closeEndedAllowances(ctx)).toBe(0);
});

test('a unit released after its month expires immediately', async () => {
  const actor = await makeUser(clock.db);
  const [id = ''] = await use(actor, 1);
  await goTo('2026-12-02T00:00:00Z');
  expect(await left(actor)).toEqual({ ai: 10, standard: 100 });
  await clock.db.transaction().execute((tx) => releaseUnit(tx, id, 'Refunded: the image is damaged'));
  expect(await left(actor)).toEqual({ ai: 10, standard: 100 });
  expect((await reasons(actor)).at(-1)).toMatch(/^-1 Refunded after the quota expired on \w+ \d+, 20\d\d$/);
});

describe('changing the plan', () => {
  it('starts a new cycle immediately, and changing back restores the remaining units', async () => {
    const actor = await makeUser(clock.db);
    await use(actor, 4);
    await setTier(actor, 'pro');
    expect(await left(actor)).toEqual({ ai: 100, standard: 1_000 });
    expect(await resets(actor)).toBe('2026-12-21T10:00:00.000Z');
    await use(actor, 1);
    await goTo('2026-11-25T00:00:00Z');
    await setTier(actor, 'free');
    expect(await left(actor)).toEqual({ ai: 6, standard: 100 });
    expect(await resets(actor)).toBe('2026-12-01T00:00:00.000Z');
    expect(await reasons(actor)).toEqual([
      '10 Free plan, November 2026: 10 AI images',
      '-6 Free plan ended on November 21, 2026: 6 AI images unused',
      '100 Pro plan, November 21, 2026 to December 21, 2026: 100 AI images',
      '-99 Pro plan ended on November 25, 2026: 99 AI images unused',
      '6 Free plan, November 2026: 6 AI images left',
    ]);
  });

  it('grants no month twice when repeated', async () => {
    const actor = await makeUser(clock.db);
    await use(actor, 9);
    for (let i = 0; i < 3; i += 1) {
      await setTier(actor, 'pro');
      await setTier(actor, 'free');
    }
    expect(await left(actor)).toEqual({ ai: 1, standard: 100 });
    await use(actor, 1);
    await setTier(actor, 'pro');
    await setTier(actor, 'free');
    await expect(use(actor, 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });

  it('carries over no units between paid plans', async () => {
    const actor = await makeSubscriber('pro', '2026-11-05T00:00:00Z');
    await use(actor, 30);
    await setTier(actor, 'api_pro');
    expect(await left(actor)).toEqual({ shared: 5_000 });
    expect(await resets(actor)).toBe('2026-12-21T10:00:00.000Z');
    await goTo('2026-12-21T10:00:00Z');
    expect(await left(actor)).toEqual({ shared: 5_000 });
  });

  it('keeps granted units', async () => {
    const actor = await makeUser(clock.db);
    await grant(actor, { units: 5, meter: 'ai' });
    await use(actor, 12);
    await setTier(actor, 'api_basic');
    expect(await left(actor)).toEqual({ ai: 3, shared: 1_000 });
  });
});

describe('a plan with an end', () => {
  const row = ({ accountId }: Actor) =>
    clock.db.selectFrom('users').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();

  it('reverts to the plan that is paid, with its cycle and remaining units', async () => {
    const actor = await makeUser(clock.db);
    const [from, until] = [new Date('2026-11-10T00:00:00Z'), new Date('2026-12-10T00:00:00Z')];
    await makePaidPlan(clock.db, { accountId: actor.accountId, tier: 'pro', from, until });
    await clock.db.transaction().execute((tx) => settlePlan(tx, actor.accountId));
    await use(actor, 40);
    await setTier(actor, 'enterprise', '2026-12-01T00:00:00Z');
    expect(await left(actor)).toEqual({ shared: 25_000 });
    await settleEndedPlans(ctx);
    expect((await row(actor)).tier).toBe('enterprise');
    await goTo('2026-12-01T00:00:00Z');
    await Promise.all([settleEndedPlans(ctx), settleEndedPlans(ctx)]);
    expect(await row(actor)).toMatchObject({ tier: 'pro', overrideTier: null, overrideUntil: null });
    expect(await left(actor)).toEqual({ ai: 60, standard: 1_000 });
    expect(await resets(actor)).toBe('2026-12-10T00:00:00.000Z');
  });

  it('can be set again, and reverts to Free when nothing is paid', async () => {
    const actor = await makeUser(clock.db);
    await setTier(actor, 'pro', '2026-11-25T00:00:00Z');
    await setTier(actor, 'api_pro', '2026-12-25T00:00:00Z');
    await goTo('2026-11-26T00:00:00Z');
    await settleEndedPlans(ctx);
    expect((await row(actor)).tier).toBe('api_pro');
    await goTo('2026-12-26T00:00:00Z');
    await settleEndedPlans(ctx);
    expect((await row(actor)).tier).toBe('free');
  });

  it('stays without another grant when set again without an end', async () => {
    const actor = await makeUser(clock.db);
    await setTier(actor, 'pro', '2026-12-01T00:00:00Z');
    await use(actor, 1);
    await setTier(actor, 'pro');
    await goTo('2026-12-02T00:00:00Z');
    await settleEndedPlans(ctx);
    expect((await row(actor)).tier).toBe('pro');
    expect(await left(actor)).toEqual({ ai: 99, standard: 1_000 });
  });

  it('returns an error for an end in the past', async () => {
    const actor = await makeUser(clock.db);
    await expect(setTier(actor, 'pro', '2026-11-21T10:00:00Z')).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'endsAt',
    });
    expect((await row(actor)).tier).toBe('free');
  });
});

type Given = { units: number; meter: 'ai' | 'shared'; expiresAt?: string };
const grant = ({ accountId }: Actor, { units, meter, expiresAt = '2027-01-01T00:00:00Z' }: Given) =>
  grantUnits(ctx, {
    admin: { accountId: admin.accountId, address: undefined, permission: 'grants.create' },
    userId: accountId,
    units,
    meter,
    expiresAt: new Date(expiresAt),
    reason: 'A thank you',
  });

describe('a grant', () => {
  it('is used before the plan if it expires earlier, and expires on its day', async () => {
    const actor = await makeUser(clock.db);
    await grant(actor, { units: 5, meter: 'shared', expiresAt: '2026-11-23T00:00:00Z' });
    await use(actor, 2, 'standard');
    await use(actor, 1);
    expect(await left(actor)).toEqual({ ai: 10, standard: 100, shared: 2 });
    await goTo('2026-11-23T00:00:00Z');
    expect(await left(actor)).toEqual({ ai: 10, standard: 100 });
    expect(await reasons(actor, 'shared')).toEqual([
      '5 Granted until November 22, 2026: 5 images. A thank you',
      '-2 Expired on November 22, 2026: 2 images unused',
    ]);
  });

  it('is used after the plan if it expires later', async () => {
    const actor = await makeUser(clock.db);
    await grant(actor, { units: 2, meter: 'ai' });
    await use(actor, 11);
    expect(await left(actor)).toMatchObject({ ai: 1 });
    await goTo('2026-12-01T00:00:00Z');
    expect(await left(actor)).toMatchObject({ ai: 11 });
  });
});

test('a plan without a hard stop continues below 0, and resets to its full quota', async () => {
  const actor = await makeSubscriber('enterprise', '2026-11-10T00:00:00Z');
  await left(actor);
  await grant(actor, { units: 1, meter: 'ai' });
  await clock.db.transaction().execute(async (tx) => {
    const { accountId } = actor;
    const jobs = Array.from({ length: 5_000 }, () => ({ id: randomUUID(), meter: 'standard', reason: 'x' }) as const);
    for (let i = 0; i < 5; i += 1)
      await reserveUnits(tx, { accountId, jobs: jobs.map((job) => ({ ...job, id: randomUUID() })) });
  });
  await use(actor, 3);
  expect(await left(actor)).toEqual({ ai: 0, shared: 0 });
  const { meters } = await readQuota(ctx, { actor });
  expect(meters.find(({ meter }) => meter === 'shared')).toMatchObject({
    included: currentPlans.enterprise.included.shared,
    used: 25_002,
    left: 0,
  });
  await goTo('2026-12-10T00:00:00Z');
  expect(await left(actor)).toEqual({ shared: 25_000, ai: 0 });
  expect((await reasons(actor, 'shared')).at(1)).toBe('2 Used beyond the quota until December 9, 2026: 2 images');
});
