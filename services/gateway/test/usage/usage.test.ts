import { dashboardRules } from '@uprez/contracts/policy/admin/dashboard-rules';
import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { getPublicStats } from '@uprez/domain/dashboard/get-public-stats';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { finishJob } from '../support/finish-job.ts';
import { makePastJob, type Past } from '../support/past-jobs.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const anonymous = makeCheckedFetch(fetch);
// Not shared: it counts the jobs of all accounts.
const gateway = fileFixture(() => startTestGateway());
const user = testFixture(() => gateway.signUp());

it('GET /api/plans returns the plan table without a session', async () => {
  const answer = await anonymous(`${gateway.url}/api/plans`);
  expect(await answer.json()).toEqual(makePlanCards());
});

describe('GET /api/public/stats', () => {
  /** Creates `count` delivered images of 3 megapixels that took 1 s each, and returns the account ID. */
  async function makeMany(count: number): Promise<string> {
    const actor = await makeUser(gateway.ctx.db);
    const { job } = await makeJob(gateway.ctx, actor);
    await sql`
      insert into jobs (id, account_id, status, recipe, plan, filename, source_bytes, started_at, finished_at)
      select gen_random_uuid(), account_id, 'completed', recipe,
        jsonb_set(plan, '{output}', plan->'output' || '{"width":2000,"height":1500}'), filename, source_bytes,
        now() - interval '1 second', now()
      from jobs, generate_series(1, ${count}) where id = ${job.id}`.execute(gateway.ctx.db);
    return actor.accountId;
  }
  const read = async () => (await anonymous(`${gateway.url}/api/public/stats`)).json();

  it('rounds down, omits small numbers, and is cached for a minute', async () => {
    const { db } = gateway.ctx;
    const few = await makeMany(999);
    expect(await getPublicStats({ db })).toEqual({ days: 30 });
    const more = await makeMany(271);
    const told = { days: 30, imagesMade: 1_200, megapixelsMade: 3_800, medianProcessingTime: 1_000 };
    expect(await read()).toEqual(told);
    await db.deleteFrom('users').where('id', 'in', [few, more]).execute();
    expect(await read()).toEqual(told);
    expect(await getPublicStats({ db })).toEqual({ days: 30 });
  });
});

describe('GET /api/usage', () => {
  const actor = () => ({ accountId: user.user.id, plan: currentPlans.free });
  const at = (moment: string) => sql<Date>`${moment}::timestamptz`;
  const past = (moment: string, job: object) => makePastJob(gateway.ctx, actor(), { finishedAt: at(moment), ...job });
  const empty = { completed: 0, failed: 0, web: 0, api: 0, ai: 0, standard: 0, avgProcessingTime: null };
  const days = async (query: object) => (await user.client.usage({ query })).data;

  it('sums each UTC day from jobs and aggregated days', async () => {
    await past('2026-03-01T00:00:00Z', { ms: 1_000 });
    await past('2026-03-01T23:59:59.9Z', { ms: 3_000, surface: 'api', engine: 'photo', outcome: 'expired' });
    await past('2026-03-01T12:00:00Z', { outcome: 'failed' });
    await past('2026-03-01T12:00:00Z', { outcome: 'cancelled' });
    await past('2026-03-01T12:00:00Z', { kind: 'preview' });
    await past('2026-03-03T00:00:00Z', {});
    const folded = { accountId: user.user.id, surface: 'web', meter: 'ai' } as const;
    await gateway.ctx.db
      .insertInto('usageDays')
      .values([
        { ...folded, day: '2026-02-28', completed: 2, failed: 1, processingMs: 900 },
        { ...folded, day: '2026-03-01', completed: 2, failed: 1, processingMs: 8_000 },
      ])
      .execute();
    expect(await days({ from: '2026-03-01', to: '2026-03-02' })).toEqual([
      { day: '2026-03-01', completed: 4, failed: 2, web: 3, api: 1, ai: 3, standard: 1, avgProcessingTime: 3_000 },
      { day: '2026-03-02', ...empty },
    ]);
    expect(await days({ from: '2026-02-28', to: '2026-02-28' })).toEqual([
      { ...empty, day: '2026-02-28', completed: 2, failed: 1, web: 2, ai: 2, avgProcessingTime: 450 },
    ]);
  });

  it('returns the last 30 days by default, and 422 for invalid ranges or more than 366 days', async () => {
    const last = await days({});
    const { rows } = await sql<{ today: string }>`select (now() at time zone 'utc')::date::text as today`.execute(
      gateway.ctx.db,
    );
    expect([last.length, last.at(-1)?.day]).toEqual([30, rows[0]?.today]);
    expect(await days({ from: '2024-01-01', to: '2024-12-31' })).toHaveLength(366);
    for (const query of [
      { from: '2024-01-01', to: '2025-01-01' },
      { from: '2026-03-02', to: '2026-03-01' },
      { from: '2026-02-30' },
      { to: 'yesterday' },
      { to: '0001-01-01' },
      { from: '0000-12-31', to: '0001-01-01' },
    ])
      await expect(days(query)).rejects.toMatchObject({ status: 422, code: 'invalid_parameter' });
  });
});

describe('GET /api/dashboard/stats', () => {
  const actor = () => ({ accountId: user.user.id, plan: currentPlans.free });
  const past = (job: Past) => makePastJob(gateway.ctx, actor(), job);
  const read = async () => (await user.client.dashboardStats()).data;
  const change = (values: object) =>
    gateway.ctx.db.updateTable('users').set(values).where('id', '=', user.user.id).execute();

  const monthStart = sql<Date>`date_trunc('month', now(), 'UTC')`;
  const now = sql<Date>`now()`;
  /** A time in the previous period, and one before it. */
  const before = sql<Date>`(${monthStart} - (now() - ${monthStart}) / 2)`;
  const longBefore = sql<Date>`(${monthStart} - (now() - ${monthStart}) * 2 - interval '1 day')`;

  it('returns the quota of the plan and no trends for a new account', async () => {
    expect(await read()).toEqual({
      subscriptionTier: 'free',
      planVersion: null,
      imagesProcessed: 0,
      apiCalls: 0,
      avgProcessingTime: null,
      storageUsed: 0,
      storageLimit: currentPlans.free.storageBytes,
      recentActivity: [],
      trends: {},
      quota: [
        expect.objectContaining({ meter: 'ai', included: 10, granted: 0, used: 0, left: 10 }),
        expect.objectContaining({ meter: 'standard', included: 100, left: 100 }),
      ],
      forecast: [],
    });
  });

  it('counts images delivered this month, separately for the web app and the API', async () => {
    await past({ finishedAt: now, ms: 1_000 });
    await past({ finishedAt: now, ms: 2_000, outcome: 'expired' });
    // The wait in the queue is no processing time.
    await past({ finishedAt: now, ms: 2_000, waitMs: 4_000, surface: 'api' });
    await past({ finishedAt: monthStart, ms: 3_000 });
    for (const outcome of ['failed', 'cancelled'] as const) await past({ finishedAt: now, outcome });
    await past({ finishedAt: now, kind: 'preview' });
    await past({ finishedAt: before });
    await makeJob(gateway.ctx, actor());
    await makePastJob(gateway.ctx, { ...actor(), accountId: (await gateway.signUp()).user.id }, { finishedAt: now });
    expect(await read()).toMatchObject({ imagesProcessed: 3, apiCalls: 1, avgProcessingTime: 2_000 });
    expect((await user.client.user()).data).toMatchObject({ imagesProcessedThisMonth: 3, apiCallsThisMonth: 1 });
  });

  it('compares with the previous period of equal length once the account is old enough', async () => {
    for (const ms of [1_000, 3_000, 5_000]) await past({ finishedAt: now, ms });
    await past({ finishedAt: now, ms: 3_000, surface: 'api' });
    for (const ms of [4_000, 4_000]) await past({ finishedAt: before, ms });
    await past({ finishedAt: longBefore });
    await past({ finishedAt: before, outcome: 'failed' });
    expect((await read()).trends).toEqual({});
    await change({ created_at: sql`now() - interval '100 days'` });
    expect((await read()).trends).toEqual({
      imagesProcessed: { current: 3, previous: 2, change: 50 },
      avgProcessingTime: { current: 3_000, previous: 4_000, change: -25 },
    });
  });

  it('lists the 12 newest jobs, with a thumbnail while it is stored', async () => {
    const { job: oldest } = await makeJob(gateway.ctx, actor());
    await past({ finishedAt: now, kind: 'preview' });
    for (let n = 0; n < dashboardRules.recentActivity - 1; n += 1) await makeJob(gateway.ctx, actor());
    const { job: newest } = await makeJob(gateway.ctx, actor(), { factor: 4 });
    await finishJob(gateway.ctx, newest.id);
    const { recentActivity } = await read();
    expect(recentActivity).toHaveLength(dashboardRules.recentActivity);
    expect(recentActivity[0]).toEqual({
      id: newest.id,
      filename: 'image.png',
      status: 'completed',
      scaleFactor: 4,
      createdAt: newest.createdAt.toISOString(),
      thumbnailPath: `/api/images/thumbnail/${newest.id}`,
    });
    expect(recentActivity.map(({ id }) => id)).not.toContain(oldest.id);
    expect((await user.fetch(gateway.url + recentActivity[0]?.thumbnailPath)).status).toBe(200);
    await user.client.deleteJob({ params: { id: newest.id } });
    expect((await read()).recentActivity[0]).toMatchObject({ id: newest.id, status: 'expired', thumbnailPath: null });
  });

  it('returns the bytes stored now', async () => {
    const { job } = await makeJob(gateway.ctx, actor(), { bytes: 'x'.repeat(1_000) });
    expect((await read()).storageUsed).toBe(1_000);
    await finishJob(gateway.ctx, job.id, 'y'.repeat(300));
    expect((await read()).storageUsed).toBe(300 + 'a thumbnail'.length);
    await user.client.deleteJob({ params: { id: job.id } });
    expect((await read()).storageUsed).toBe(0);
  });

  it('forecasts when a meter runs out, and omits meters that last', async () => {
    await change({ tier: 'pro', period_anchor: sql`now() - interval '9 days'` });
    expect(await read()).toMatchObject({ quota: [{ included: 100 }, { included: 1_000 }], forecast: [] });
    const use = (meter: 'ai' | 'standard', left: number) =>
      gateway.ctx.db
        .updateTable('allowances')
        .set({ unitsLeft: left })
        .where('accountId', '=', user.user.id)
        .where('meter', '=', meter)
        .where('closedAt', 'is', null)
        .execute();
    await use('ai', 10);
    await use('standard', 900);
    const { forecast, quota } = await read();
    expect(quota).toMatchObject([{ used: 90, left: 10 }, { used: 100 }]);
    expect(forecast).toEqual([{ meter: 'ai', endsAt: expect.any(String) }]);
    // 90 units in 9 days are 10 units per day.
    expect((Date.parse(forecast[0]?.endsAt ?? '') - Date.now()) / 86_400_000).toBeCloseTo(1, 2);
  });
});
