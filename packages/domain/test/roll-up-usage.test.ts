import { retention } from '@uprez/contracts/policy/plans/plans';
import { listUsage } from '@uprez/db/queries/usage/usage';
import { today } from '@uprez/db/times';
import type { Actor } from '@uprez/domain/actor';
import { rollUpUsage } from '@uprez/domain/dashboard/get-usage';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { listJobs } from '@uprez/domain/jobs/get-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { deliverJob } from '@uprez/testing/deliver-job';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import { failJob } from '../src/jobs/attempts/fail-job.ts';
import { deleteMarkedObjects } from '../src/uploads/delete-objects.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
  // Jobs are deleted after analytics have rolled up their days.
  await ctx.db.updateTable('analyticsState').set({ frozenUntil: today }).execute();
});
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  await ctx.db.deleteFrom('users').execute();
  await deleteMarkedObjects(ctx, -1);
});
afterAll(() => ctx.close());

async function start(actor: Actor): Promise<{ id: string; attempt: number }> {
  const { job } = await makeJob(ctx, actor);
  const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  if (claim?.job.id !== job.id) throw new Error('another job was waiting');
  return claim.job;
}
async function makeDelivered(actor: Actor): Promise<string> {
  const job = await start(actor);
  await deliverJob(ctx, job);
  return job.id;
}
async function makeFailed(actor: Actor): Promise<string> {
  const { id } = await start(actor);
  await failJob(ctx, { jobId: id, attempt: 1, code: 'corrupt_image', retryBaseS: 0 });
  return id;
}
async function makeCancelled(actor: Actor): Promise<string> {
  const { id } = await start(actor);
  await deleteJob(ctx, { actor, id });
  return id;
}
/** Sets when a job finished and its processing time in milliseconds, and marks its files for deletion. */
async function age(id: string, finishedAt: string, ms: number): Promise<void> {
  const end = new Date(finishedAt);
  await ctx.db
    .updateTable('jobs')
    .set({ createdAt: end, startedAt: new Date(Number(end) - ms), finishedAt: end, expiresAt: end })
    .where('id', '=', id)
    .execute();
  await ctx.db.updateTable('objects').set({ state: 'deleting' }).where('jobId', '=', id).execute();
}
async function sweep(): Promise<void> {
  await expireJobs(ctx);
  await deleteMarkedObjects(ctx, 86_400);
}
const days = () =>
  ctx.db
    .selectFrom('usageDays')
    .select([sql<string>`day::text`.as('day'), 'surface', 'meter', 'completed', 'failed', 'processingMs'])
    .orderBy('day')
    .orderBy('surface')
    .execute();
const jobIds = async () => (await ctx.db.selectFrom('jobs').select('id').orderBy('id').execute()).map(({ id }) => id);

test('rolls up old jobs into daily counts and keeps their ledger', async () => {
  const actor = await makeUser(ctx.db);
  const ids = [];
  for (const [make, finishedAt, ms] of [
    [makeDelivered, '2026-03-01T23:59:59.9Z', 100],
    [makeDelivered, '2026-03-02T00:00:00Z', 200],
    [makeDelivered, '2026-03-02T12:00:00Z', 300],
    [makeFailed, '2026-03-02T13:00:00Z', 5_000],
    [makeCancelled, '2026-03-03T00:00:00Z', 5_000],
  ] as const) {
    const id = await make(actor);
    await age(id, finishedAt, ms);
    ids.push(id);
  }
  await ctx.db
    .updateTable('jobs')
    .set({ surface: 'api' })
    .where('id', '=', ids[2] ?? '')
    .execute();
  const young = await makeDelivered(actor);
  const ledger = () => ctx.db.selectFrom('ledger').selectAll().orderBy('id').execute();
  const before = await ledger();
  await sweep();
  expect(await rollUpUsage(ctx)).toBe(5);
  const standard = { meter: 'standard', completed: 1, failed: 0 };
  expect(await days()).toEqual([
    { ...standard, day: '2026-03-01', surface: 'web', processingMs: 100 },
    { ...standard, day: '2026-03-02', surface: 'api', processingMs: 300 },
    { ...standard, day: '2026-03-02', surface: 'web', failed: 1, processingMs: 200 },
  ]);
  expect(await jobIds()).toEqual([young]);
  expect(await ledger()).toEqual(before);
  expect(await rollUpUsage(ctx)).toBe(0);
  expect(await days()).toHaveLength(3);
});

test('counts nearest as standard, and engines with a model as AI, before and after the roll-up', async () => {
  const actor = await makeUser(ctx.db);
  for (const engine of ['nearest', 'standard', 'photo-fast']) {
    const id = await makeDelivered(actor);
    await age(id, '2026-03-02T12:00:00Z', 100);
    await ctx.db
      .updateTable('jobs')
      .set({ plan: sql`jsonb_set(plan, '{engine}', to_jsonb(${engine}::text))` })
      .where('id', '=', id)
      .execute();
  }
  const usage = async () => {
    const period = { accountId: actor.accountId, from: '2026-03-01', to: '2026-03-03' };
    const rows = await listUsage(ctx.db, period);
    return Object.fromEntries(rows.map(({ meter, completed }) => [meter, completed]));
  };
  expect(await usage()).toEqual({ standard: 2, ai: 1 });
  await sweep();
  expect(await rollUpUsage(ctx)).toBe(3);
  expect(await usage()).toEqual({ standard: 2, ai: 1 });
});

test('adds later jobs to a day that was already rolled up', async () => {
  const actor = await makeUser(ctx.db);
  for (const ms of [100, 150]) {
    await age(await makeDelivered(actor), '2026-03-02T12:00:00Z', ms);
    await sweep();
    await rollUpUsage(ctx);
  }
  expect(await days()).toEqual([
    { day: '2026-03-02', surface: 'web', meter: 'standard', completed: 2, failed: 0, processingMs: 250 },
  ]);
});

test('skips jobs that are recent, unfinished, or still have files', async () => {
  const actor = await makeUser(ctx.db);
  const nearly = await makeDelivered(actor);
  await age(nearly, new Date(Date.now() - (retention.usageRowDays * 86_400 - 60) * 1_000).toISOString(), 1);
  await sweep();
  const withFiles = await makeDelivered(actor);
  await ctx.db
    .updateTable('jobs')
    .set({ finishedAt: new Date('2026-01-01'), expiresAt: new Date() })
    .where('id', '=', withFiles)
    .execute();
  await expireJobs(ctx);
  const running = (await start(actor)).id;
  await ctx.db
    .updateTable('jobs')
    .set({ createdAt: new Date('2026-01-01') })
    .where('id', '=', running)
    .execute();
  expect(await rollUpUsage(ctx)).toBe(0);
  expect(await jobIds()).toEqual([nearly, withFiles, running].toSorted());
});

test('counts each job once in concurrent and aborted sweeps', async () => {
  const actor = await makeUser(ctx.db);
  for (let i = 0; i < 12; i += 1) await age(await makeDelivered(actor), `2026-02-0${1 + (i % 3)}T10:00:00Z`, 10);
  await sweep();
  await sql`alter table usage_days add constraint cut_off check (day < '2026-02-03') not valid`.execute(ctx.db);
  await expect(rollUpUsage(ctx)).rejects.toThrow(/cut_off/);
  expect(await days()).toEqual([]);
  expect(await jobIds()).toHaveLength(12);
  await sql`alter table usage_days drop constraint cut_off`.execute(ctx.db);
  const folded = await Promise.all([rollUpUsage(ctx), rollUpUsage(ctx), rollUpUsage(ctx)]);
  expect(folded.reduce((sum, n) => sum + n, 0)).toBe(12);
  expect((await days()).map(({ completed }) => completed)).toEqual([4, 4, 4]);
});

test('pages of jobs continue after the job of the cursor was rolled up', async () => {
  const actor = await makeUser(ctx.db);
  const ids = [await makeDelivered(actor), await makeDelivered(actor), await makeDelivered(actor)];
  const first = await listJobs(ctx, { actor, limit: 2 });
  expect(first.nextCursor).toBe(ids[1]);
  await age(ids[1] ?? '', '2026-02-01T00:00:00Z', 1);
  await sweep();
  await rollUpUsage(ctx);
  const { jobs } = await listJobs(ctx, { actor, limit: 2, cursor: first.nextCursor });
  expect(jobs.map(({ job }) => job.id)).toEqual([ids[0]]);
});
