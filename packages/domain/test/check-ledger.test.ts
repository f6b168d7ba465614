import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { deliverJob } from '@uprez/testing/deliver-job';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import { failJob } from '../src/jobs/attempts/fail-job.ts';
import { deleteMarkedObjects } from '../src/uploads/delete-objects.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());
beforeEach(async () => {
  await ctx.db.deleteFrom('users').execute();
  await ctx.db.updateTable('objects').set({ state: 'deleting' }).execute();
  await deleteMarkedObjects(ctx, 86_400);
});

const fileOf = (key: string) => path.join(ctx.dataDir, 'objects', key);
const errors = async (unfinishedS?: number) => (await checkLedger(ctx, unfinishedS)).errors;

/** Changes the append-only ledger, as the owner of the database can. */
const tamper = (statement: string) =>
  ctx.db.transaction().execute(async (tx) => {
    await sql`alter table ledger disable trigger ledger_append_only`.execute(tx);
    await sql.raw(statement).execute(tx);
    await sql`alter table ledger enable trigger ledger_append_only`.execute(tx);
  });

async function makeQueued() {
  const actor = await makeUser(ctx.db);
  return { actor, job: (await makeJob(ctx, actor)).job };
}

async function makeStarted() {
  const { actor, job } = await makeQueued();
  const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  if (claim?.job.id !== job.id) throw new Error('another job was waiting');
  return { actor, job: claim.job };
}

async function makeCompleted() {
  const { actor, job } = await makeStarted();
  const done = await deliverJob(ctx, job);
  if (!done) throw new Error('nobody else has the job');
  const result = await ctx.db
    .selectFrom('objects')
    .selectAll()
    .where('id', '=', done.resultId)
    .executeTakeFirstOrThrow();
  return { actor, job: done, result };
}

async function makeFailed() {
  const { actor, job } = await makeStarted();
  await failJob(ctx, { jobId: job.id, attempt: 1, code: 'corrupt_image', retryBaseS: 0 });
  return { actor, job };
}

test('returns no errors for jobs of every outcome, before and after the sweeps', async () => {
  await makeCompleted();
  await makeFailed();
  const deleted = await makeCompleted();
  await deleteJob(ctx, { actor: deleted.actor, id: deleted.job.id });
  const failedAndDeleted = await makeFailed();
  await deleteJob(ctx, { actor: failedAndDeleted.actor, id: failedAndDeleted.job.id });
  const expired = await makeCompleted();
  await ctx.db.updateTable('jobs').set({ expiresAt: sql<Date>`now()` }).where('id', '=', expired.job.id).execute();
  await expireJobs(ctx);
  const cancelled = await makeStarted();
  await deleteJob(ctx, { actor: cancelled.actor, id: cancelled.job.id });
  const retried = await makeStarted();
  await failJob(ctx, { jobId: retried.job.id, attempt: 1, code: 'processing_memory', retryBaseS: 0 });
  await makeQueued();
  expect(await checkLedger(ctx)).toMatchObject({ jobs: 8, errors: [] });
  await deleteMarkedObjects(ctx, 86_400);
  // The result and thumbnail of one job, and the sources of a failed, a retried, and a queued job.
  expect(await checkLedger(ctx)).toEqual({ jobs: 8, objects: 5, errors: [] });
});

test.each([
  ['a missing reservation', makeQueued, "delete from ledger where kind = 'reserve'", /queued job is open: reserved 0/],
  [
    'a missing settle',
    makeCompleted,
    "delete from ledger where kind = 'settle'",
    /is delivered: reserved 1, settled 0/,
  ],
  ['a missing release', makeFailed, "delete from ledger where kind = 'release'", /is undelivered: .*net -1/],
  [
    'a settle of a job that failed',
    makeFailed,
    "update ledger set kind = 'settle', units = 0 where kind = 'release'",
    /failed job is undelivered: reserved 1, settled 1, released 0/,
  ],
  [
    'a refund of a job that was delivered',
    makeCompleted,
    "update ledger set kind = 'release', units = 1 where kind = 'settle'",
    /completed job is delivered: .*released 1, net 0/,
  ],
  ['too many units', makeCompleted, "update ledger set units = -2 where kind = 'reserve'", /net -2/],
  ['a refund that is too large', makeFailed, "update ledger set units = 2 where kind = 'release'", /net 1/],
  [
    'a finished job with the status queued',
    makeCompleted,
    "update jobs set status = 'queued'",
    /queued job is open: .*settled 1/,
  ],
  ['a finished job without finished_at', makeFailed, 'update jobs set finished_at = null', /failed job is undelivered/],
  [
    'a completed job without its result',
    makeCompleted,
    "update objects set state = 'deleting' where kind = 'result'",
    /completed without a stored result/,
  ],
  [
    'a completed job without its thumbnail',
    makeCompleted,
    "update objects set state = 'deleting' where kind = 'thumbnail'",
    /completed without a stored thumbnail/,
  ],
])('reports %s', async (_, ...[make, statement, complaint]) => {
  const { job } = await make();
  expect(await errors()).toEqual([]);
  await tamper(statement);
  const found = (await errors()).filter((error) => !error.startsWith('allowance'));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(complaint);
  expect(found[0]).toContain(job.id);
});

test.each([
  [
    'a second reservation',
    "insert into ledger (account_id, allowance_id, job_id, kind, meter, units, reason) select account_id, allowance_id, job_id, 'reserve', meter, -1, 'x' from ledger where kind = 'reserve'",
  ],
  [
    'a second settle',
    "insert into ledger (account_id, allowance_id, job_id, kind, meter, units, reason) select account_id, allowance_id, job_id, 'settle', meter, 0, 'x' from ledger where kind = 'reserve'",
  ],
  [
    'a release after the settle',
    "insert into ledger (account_id, allowance_id, job_id, kind, meter, units, reason) select account_id, allowance_id, job_id, 'release', meter, 1, 'x' from ledger where kind = 'reserve'",
  ],
  [
    'a settle that moves units',
    "insert into ledger (account_id, allowance_id, job_id, kind, meter, units, reason) select account_id, allowance_id, gen_random_uuid(), 'settle', meter, 1, 'x' from ledger where kind = 'reserve'",
    /ledger_sign_check/,
  ],
  ['an allowance below 0', "update allowances set units_left = -1 where meter = 'ai'", /violates check/],
  ['a changed row', "update ledger set reason = 'x'", /only ever added/],
  ['a deleted row', "delete from ledger where kind = 'grant'", /only ever added/],
])('PostgreSQL rejects %s', async (...[, statement, complaint = /violates unique/]) => {
  await makeCompleted();
  await expect(sql.raw(statement).execute(ctx.db)).rejects.toThrow(complaint);
});

test.each([
  [
    'units without a ledger row',
    "update allowances set units_left = units_left + 1 where meter = 'standard'",
    /^allowance/,
  ],
  [
    'units granted twice',
    "insert into ledger (account_id, allowance_id, kind, meter, units, reason) select account_id, allowance_id, 'grant', meter, 5, 'x' from ledger where kind = 'grant' limit 1",
    /^allowance .* units left, the ledger says/,
  ],
  [
    'units on the wrong meter',
    "update ledger set meter = 'ai' where kind = 'reserve'",
    /^allowance .*: 99 of 100 units left, the ledger says 100/,
  ],
  ['a reservation without a job', 'delete from jobs', /^reservation .*: open, and there is neither/],
])('reports %s', async (_, statement, complaint) => {
  await makeQueued();
  await tamper(statement);
  const found = (await errors()).filter((error) => !error.startsWith('object'));
  expect(found).toEqual([expect.stringMatching(complaint)]);
});

test('reports changed bytes of the same size', async () => {
  const { result } = await makeCompleted();
  const bytes = await fs.readFile(fileOf(result.key));
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await fs.writeFile(fileOf(result.key), bytes);
  expect(await errors()).toEqual([`object ${result.key}: other bytes than its row says`]);
});

test('reports truncated bytes', async () => {
  const { result } = await makeCompleted();
  await fs.truncate(fileOf(result.key), 3);
  expect(await errors()).toEqual([`object ${result.key}: 3 bytes instead of ${result.size}`]);
});

test('reports missing bytes', async () => {
  const { result } = await makeCompleted();
  await ctx.storage.deleteMany([result.key]);
  expect(await errors()).toEqual([`object ${result.key}: the row says stored, but there are no bytes`]);
});

test('reports bytes without a row', async () => {
  await makeCompleted();
  await ctx.storage.put('uploads/nobodys', Readable.from(['x']));
  expect(await errors()).toEqual(['object uploads/nobodys: bytes without a row']);
  await ctx.storage.deleteMany(['uploads/nobodys']);
});

test('reports jobs that are unfinished after the given time', async () => {
  const { job } = await makeQueued();
  await ctx.db.updateTable('jobs').set({ createdAt: sql<Date>`now() - interval '5 minutes'` }).execute();
  expect(await errors()).toEqual([]);
  expect(await errors(600)).toEqual([]);
  expect(await errors(60)).toEqual([`job ${job.id}: still queued after 60 seconds`]);
});
