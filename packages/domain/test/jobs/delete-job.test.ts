import { createHash } from 'node:crypto';
import type { Actor } from '@uprez/domain/actor';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob } from '@uprez/domain/jobs/get-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { deliverJob, writeResult } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { claimNextJob, renewLease } from '../../src/jobs/attempts/claim-next-job.ts';
import { beginResult, completeJob } from '../../src/jobs/attempts/complete-job.ts';
import { failJob } from '../../src/jobs/attempts/fail-job.ts';
import { cancelJob } from '../../src/jobs/delete-job.ts';
import { deleteMarkedObjects } from '../../src/uploads/delete-objects.ts';

const ctx = fileFixture(openTestContext);

async function startJob() {
  const actor = await makeUser(ctx.db);
  // Canceling a long job stays free, however slow the machine is.
  await makeJob(ctx, actor, { seconds: 1_000 });
  const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  if (claim?.job.accountId !== actor.accountId) throw new Error('another job was waiting');
  return { actor, job: claim.job, attempt: { jobId: claim.job.id, attempt: claim.job.attempt } };
}

async function makeFinishedJob(): Promise<{ actor: Actor; id: string }> {
  const { actor, job } = await startJob();
  await deliverJob(ctx, job);
  return { actor, id: job.id };
}

const sum = async (jobId: string) =>
  (await ctx.db.selectFrom('ledger').select('units').where('jobId', '=', jobId).execute()).reduce(
    (total, { units }) => total + units,
    0,
  );
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const rejection = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: { code?: string; message: string }) => [error.code, error.message],
  );

test('canceling a running job rejects its renewals and result, and releases its unit', async () => {
  const { actor, job, attempt } = await startJob();
  const slots = await beginResult(ctx, attempt);
  const delivery = slots && (await writeResult(ctx, attempt, slots));
  const deletion = await deleteJob(ctx, { actor, id: job.id });
  expect(deletion).toMatchObject({ kind: 'cancelled', job: { status: 'cancelled', errorCode: 'cancelled' } });
  expect(await renewLease(ctx, { ...attempt, leaseS: 30 })).toBe(false);
  expect(delivery && (await completeJob(ctx, delivery))).toBeUndefined();
  expect(await sum(job.id)).toBe(0);
  await deleteMarkedObjects(ctx, 86_400);
  const left = await ctx.db.selectFrom('objects').selectAll().where('jobId', '=', job.id).execute();
  expect(left).toEqual([]);
  expect((await checkLedger(ctx)).errors).toEqual([]);
});

test('an attempt gets no slots for its result while its job is being canceled', async () => {
  const { job, attempt } = await startJob();
  let begun: Promise<unknown> | undefined;
  let answered = false;
  await ctx.db.transaction().execute(async (tx) => {
    await cancelJob(tx, job);
    begun = beginResult(ctx, attempt).finally(() => {
      answered = true;
    });
    // It either returns without waiting for the cancellation, or waits for a lock in PostgreSQL.
    await waitUntil(async () => answered || (await countLockWaiters(ctx.db)) > 0);
  });
  expect(await begun).toBeUndefined();
  const kinds = await ctx.db.selectFrom('objects').select(['kind', 'state']).where('jobId', '=', job.id).execute();
  expect(kinds).toEqual([{ kind: 'source', state: 'deleting' }]);
});

test('deleting a finished job returns the hashes of its files, and the sweep deletes their bytes', async () => {
  const { actor, id } = await makeFinishedJob();
  const { job, result, thumbnail } = await getJob(ctx, { actor, id });
  const deletion = await deleteJob(ctx, { actor, id });
  if (deletion.kind !== 'deleted') throw new Error('the job was finished');
  expect(deletion.job).toMatchObject({ status: 'expired', version: job.version + 1 });
  expect(deletion.receipt.objects.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { kind: 'result', sha256: sha256(`bytes of results/${id}/1`) },
    { kind: 'thumbnail', sha256: sha256(`bytes of thumbnails/${id}/1`) },
  ]);
  expect(await getJob(ctx, { actor, id })).toMatchObject({ result: undefined, thumbnail: undefined });
  await deleteMarkedObjects(ctx, 86_400);
  for (const object of [result, thumbnail]) expect(await ctx.storage.head(object?.key ?? '')).toBeUndefined();
  expect(await sum(id)).toBe(-1);
  expect((await checkLedger(ctx)).errors).toEqual([]);
});

test('deleting again returns the same time without objects', async () => {
  const { actor, id } = await makeFinishedJob();
  const first = await deleteJob(ctx, { actor, id });
  const second = await deleteJob(ctx, { actor, id });
  if (first.kind !== 'deleted') throw new Error('the job was finished');
  expect(second).toMatchObject({ receipt: { id, deletedAt: first.receipt.deletedAt, objects: [] } });
  expect(second.job.version).toBe(first.job.version);
});

test('one of many concurrent deletions returns the receipt', async () => {
  const { actor, id } = await makeFinishedJob();
  const deletions = await Promise.all(Array.from({ length: 8 }, () => deleteJob(ctx, { actor, id })));
  const counts = deletions.map((deletion) => (deletion.kind === 'deleted' ? deletion.receipt.objects.length : -1));
  expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
});

test('deleting a failed job deletes its source, and its unit stays released', async () => {
  const { actor, job, attempt } = await startJob();
  await failJob(ctx, { ...attempt, code: 'corrupt_image', retryBaseS: 0 });
  const deletion = await deleteJob(ctx, { actor, id: job.id });
  expect(deletion).toMatchObject({ kind: 'deleted', receipt: { objects: [{ kind: 'source' }] } });
  expect(await sum(job.id)).toBe(0);
  expect((await checkLedger(ctx)).errors).toEqual([]);
});

test("another account's job, a missing job, and an invalid ID return the same error", async () => {
  const { id } = await makeFinishedJob();
  const stranger = await makeUser(ctx.db);
  const ids = [id, '01a1fc49-6789-7b5e-b826-498b06a0c048', 'no-id', '', "' or 1=1 --", `${id}x`, 'a'.repeat(10_000)];
  const answers = await Promise.all(
    ids.flatMap((one) => [
      rejection(getJob(ctx, { actor: stranger, id: one })),
      rejection(deleteJob(ctx, { actor: stranger, id: one })),
    ]),
  );
  for (const answer of answers) expect(answer).toEqual(['job_not_found', 'Job not found.']);
});

test('exactly one of a concurrent cancellation and result succeeds, 50 times', async () => {
  const started = [];
  for (let index = 0; index < 50; index += 1) started.push(await startJob());
  const ready = await Promise.all(
    started.map(async ({ actor, job, attempt }) => {
      const slots = await beginResult(ctx, attempt);
      if (!slots) throw new Error('nobody else has the job');
      return { actor, job, delivery: await writeResult(ctx, attempt, slots) };
    }),
  );
  const cancel = (job: (typeof ready)[number]['job']) => ctx.db.transaction().execute((tx) => cancelJob(tx, job));
  /** A result needs more queries than a cancellation before it has the row, so it gets a lead. */
  const waitQueries = async (count: number) => {
    for (let left = count; left > 0; left -= 1) await sql`select 1`.execute(ctx.db);
  };
  const outcomes = await Promise.all(
    ready.map(async ({ job, delivery }, index) => {
      const both = await Promise.all(
        index % 2
          ? [completeJob(ctx, delivery), waitQueries(index % 8).then(() => cancel(job))]
          : [cancel(job), completeJob(ctx, delivery)],
      );
      return { id: job.id, winners: both.filter((row) => row !== undefined).map((row) => row.status) };
    }),
  );
  for (const { id, winners } of outcomes) {
    expect(winners).toHaveLength(1);
    const { status } = await ctx.db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    expect([status]).toEqual(winners);
    expect(await sum(id)).toBe(status === 'completed' ? -1 : 0);
  }
  // Both outcomes must occur, or there was no race.
  expect(new Set(outcomes.flatMap(({ winners }) => winners)).size).toBe(2);
  await deleteMarkedObjects(ctx, 86_400);
  expect((await checkLedger(ctx)).errors).toEqual([]);
});

test('a deletion concurrent with a result deletes or prevents it, with a matching ledger', async () => {
  const started = [];
  for (let index = 0; index < 20; index += 1) started.push(await startJob());
  await Promise.all(
    started.map(async ({ actor, job }) => {
      const [deletion, done] = await Promise.all([deleteJob(ctx, { actor, id: job.id }), deliverJob(ctx, job)]);
      expect(deletion.kind).toBe(done ? 'deleted' : 'cancelled');
      expect(await sum(job.id)).toBe(done ? -1 : 0);
    }),
  );
  expect((await checkLedger(ctx)).errors).toEqual([]);
});
