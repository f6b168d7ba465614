import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import { getPublicStats } from '@uprez/domain/dashboard/get-public-stats';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { makePastJob } from '../support/past-jobs.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const anonymous = makeCheckedFetch(fetch);
const gateway = fileFixture(() => startTestGateway());
const user = testFixture(() => gateway.signUp());

it('GET /api/plans tells everybody the plan table', async () => {
  const answer = await anonymous(`${gateway.url}/api/plans`);
  expect(await answer.json()).toEqual(makePlanCards());
});

describe('GET /api/public/stats', () => {
  /** As many delivered images of 3 megapixels as `count` says, a second each. */
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

  it('rounds down, says nothing of what is little, and asks the database once a minute', async () => {
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
  const actor = () => ({ accountId: user.user.id, tier: 'free' as const });
  const at = (moment: string) => sql<Date>`${moment}::timestamptz`;
  const past = (moment: string, job: object) => makePastJob(gateway.ctx, actor(), { finishedAt: at(moment), ...job });
  const empty = { completed: 0, failed: 0, web: 0, api: 0, ai: 0, standard: 0, avgProcessingTime: null };
  const days = async (query: object) => (await user.client.usage({ query })).data;

  it('adds up each day (UTC), from jobs and from folded days', async () => {
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

  it('tells of the last 30 days, and of 366 at most', async () => {
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
    ])
      await expect(days(query)).rejects.toMatchObject({ status: 422, code: 'invalid_parameter' });
  });
});
