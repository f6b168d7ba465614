import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import { plans } from '@uprez/contracts/policy/plans';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { makePastJob, type Past } from '../support/past-jobs.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
const user = testFixture(() => gateway.signUp());

const actor = () => ({ accountId: user.user.id, tier: 'free' as const });
const past = (job: Past) => makePastJob(gateway.ctx, actor(), job);
const read = async () => (await user.client.dashboardStats()).data;
const change = (values: object) =>
  gateway.ctx.db.updateTable('users').set(values).where('id', '=', user.user.id).execute();

const monthStart = sql<Date>`date_trunc('month', now(), 'UTC')`;
const now = sql<Date>`now()`;
/** In the middle of the stretch that this month is compared with, and before it. */
const before = sql<Date>`(${monthStart} - (now() - ${monthStart}) / 2)`;
const longBefore = sql<Date>`(${monthStart} - (now() - ${monthStart}) * 2 - interval '1 day')`;

it('tells a new account what its plan gives, and of nothing that is not there', async () => {
  expect(await read()).toEqual({
    subscriptionTier: 'free',
    imagesProcessed: 0,
    apiCalls: 0,
    avgProcessingTime: null,
    storageUsed: 0,
    storageLimit: plans.free.storageBytes,
    recentActivity: [],
    trends: {},
    quota: [
      expect.objectContaining({ meter: 'ai', included: 10, granted: 0, used: 0, left: 10 }),
      expect.objectContaining({ meter: 'standard', included: 100, left: 100 }),
    ],
    forecast: [],
  });
});

it('counts what was delivered this month, the web and the API apart', async () => {
  await past({ finishedAt: now, ms: 1_000 });
  await past({ finishedAt: now, ms: 2_000, outcome: 'expired' });
  await past({ finishedAt: now, ms: 6_000, surface: 'api' });
  await past({ finishedAt: monthStart, ms: 3_000 });
  for (const outcome of ['failed', 'cancelled'] as const) await past({ finishedAt: now, outcome });
  await past({ finishedAt: now, kind: 'preview' });
  await past({ finishedAt: before });
  await makeJob(gateway.ctx, actor());
  await makePastJob(gateway.ctx, { ...actor(), accountId: (await gateway.signUp()).user.id }, { finishedAt: now });
  expect(await read()).toMatchObject({ imagesProcessed: 3, apiCalls: 1, avgProcessingTime: 3_000 });
  expect((await user.client.user()).data).toMatchObject({ imagesProcessedThisMonth: 3, apiCallsThisMonth: 1 });
});

it('compares with the stretch of the same length before, where the account was there for all of it', async () => {
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

it('lists the twelve newest jobs, with a thumbnail while there is one', async () => {
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

it('counts the bytes that are stored now', async () => {
  const { job } = await makeJob(gateway.ctx, actor(), { bytes: 'x'.repeat(1_000) });
  expect((await read()).storageUsed).toBe(1_000);
  await finishJob(gateway.ctx, job.id, 'y'.repeat(300));
  expect((await read()).storageUsed).toBe(300 + 'a thumbnail'.length);
  await user.client.deleteJob({ params: { id: job.id } });
  expect((await read()).storageUsed).toBe(0);
});

it('foretells when a meter is used up, and is silent where it lasts', async () => {
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
  // Ten a day.
  expect((Date.parse(forecast[0]?.endsAt ?? '') - Date.now()) / 86_400_000).toBeCloseTo(1, 2);
});
