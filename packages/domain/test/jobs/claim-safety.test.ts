import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { findObject } from '@uprez/db/queries/jobs/objects';
import { afterSeconds } from '@uprez/db/times';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { afterEach, expect, test } from 'vitest';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { returnJob } from '../../src/jobs/attempts/fail-job.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test deletes its jobs.
afterEach(() => ctx.db.deleteFrom('users').execute());

const claim = (workerId = 'test') => claimNextJob(ctx, { workerId, leaseS: 30 });
const virtualTime = async (accountId: string) =>
  (await ctx.db.selectFrom('users').select('virtualTime').where('id', '=', accountId).executeTakeFirstOrThrow())
    .virtualTime;

test('8 concurrent claimers take 200 jobs, each once', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => makeUser(ctx.db)));
  await Promise.all(
    users.map(async (user) => {
      for (let made = 0; made < 40; made += 1) await makeJob(ctx, user);
    }),
  );
  const taken = await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      const ids: string[] = [];
      for (let next = await claim(`w${worker}`); next; next = await claim(`w${worker}`)) ids.push(next.job.id);
      return ids;
    }),
  );
  expect(taken.flat()).toHaveLength(200);
  expect(new Set(taken.flat()).size).toBe(200);
});

test('a claim has its worker, attempt, lease, and source', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db), { bytes: 'the very image' });
  const claimed = await claim('worker-7');
  expect(claimed?.job).toMatchObject({ id: job.id, status: 'processing', attempt: 1 });
  expect(claimed?.job.version).toBeGreaterThan(job.version);
  const lease = await ctx.db.selectFrom('jobLeases').selectAll().where('jobId', '=', job.id).executeTakeFirst();
  expect(lease).toMatchObject({ attempt: 1, workerId: 'worker-7' });
  expect(Number(lease?.leaseUntil) - Number(claimed?.job.startedAt)).toBe(30_000);
  const source = await findObject(ctx.db, job.sourceId ?? '');
  expect(claimed?.source).toEqual({ key: source?.key, sha256: source?.sha256 });
});

test('a claim has its source although an engine is paused', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  const source = await findObject(ctx.db, job.sourceId ?? '');
  await upsertSettings(ctx.db, 'jobs', { pausedEngines: ['art'] });
  const claimed = await claim();
  await ctx.db.deleteFrom('settings').execute();
  expect(claimed).toMatchObject({ job: { id: job.id }, source: { key: source?.key, sha256: source?.sha256 } });
});

test('a job is not claimed before its start time', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  const first = await claim();
  await returnJob(ctx, { jobId: job.id, attempt: first?.job.attempt ?? 0, delayS: 3_600 });
  expect(await claim()).toBeUndefined();
  await ctx.db
    .updateTable('jobs')
    .set({ notBefore: afterSeconds(-1) })
    .where('id', '=', job.id)
    .execute();
  expect((await claim())?.job).toMatchObject({ id: job.id, attempt: 2 });
});

test('a canceled job is never claimed', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  expect((await deleteJob(ctx, { actor, id: job.id })).kind).toBe('cancelled');
  expect(await claim()).toBeUndefined();
});

test('every attempt charges its account for the estimated seconds', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor, { seconds: 1_000 });
  const before = await virtualTime(actor.accountId);
  await claim();
  expect((await virtualTime(actor.accountId)) - before).toBeCloseTo(1_000, 3);
  await returnJob(ctx, { jobId: job.id, attempt: 1, delayS: 0 });
  expect((await virtualTime(actor.accountId)) - before).toBeLessThan(60);
  expect((await claim())?.job.attempt).toBe(2);
  expect((await virtualTime(actor.accountId)) - before).toBeGreaterThanOrEqual(1_000);
});

test('a queued job without its source does not stop the queue', async () => {
  const actor = await makeUser(ctx.db);
  const { job: lost } = await makeJob(ctx, actor);
  const { job: sound } = await makeJob(ctx, actor);
  const source = await ctx.db.selectFrom('objects').selectAll().where('jobId', '=', lost.id).executeTakeFirstOrThrow();
  await ctx.storage.deleteMany([source.key]);
  await ctx.db.deleteFrom('objects').where('id', '=', source.id).execute();
  expect(await claim()).toMatchObject({ job: { id: lost.id }, source: undefined });
  expect(await claim()).toMatchObject({ job: { id: sound.id }, source: { key: expect.any(String) } });
});
