import { createHash } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { markUploadForDeletion } from '@uprez/db/queries/jobs/objects';
import type { Actor } from '@uprez/domain/actor';
import { createJob } from '@uprez/domain/jobs/create-job';
import { getJob } from '@uprez/domain/jobs/get-job';
import { beginUpload } from '@uprez/domain/uploads/begin-upload';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { deliverJob, writeResult } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { claimNextJob, renewLease } from '../../src/jobs/attempts/claim-next-job.ts';
import { beginResult, completeJob } from '../../src/jobs/attempts/complete-job.ts';
import { failExpiredLeases, failJob, returnJob } from '../../src/jobs/attempts/fail-job.ts';
import { abandonUpload } from '../../src/uploads/begin-upload.ts';
import { deleteMarkedObjects } from '../../src/uploads/delete-objects.ts';

const ctx = fileFixture(openTestContext);
// The ledger must be consistent after each test.
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  await ctx.db.deleteFrom('users').execute();
  await deleteMarkedObjects(ctx, -1);
});

const day = 86_400;

async function startJob(): Promise<{ actor: Actor; id: string }> {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  return { actor, id: await claimAgain(job.id) };
}

/** Claims the only job, ignoring its delay. */
async function claimAgain(id: string): Promise<string> {
  await ctx.db.updateTable('jobs').set({ notBefore: sql<Date>`now()` }).where('id', '=', id).execute();
  expect((await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }))?.job.id).toBe(id);
  return id;
}

const books = (jobId: string) =>
  ctx.db
    .selectFrom('ledger')
    .select(['kind', 'units', 'meter', 'reason'])
    .where('jobId', '=', jobId)
    .orderBy('id')
    .execute();
const row = (id: string) => ctx.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const lease = (id: string) => ctx.db.selectFrom('jobLeases').selectAll().where('jobId', '=', id).executeTakeFirst();
const objects = (jobId: string) => ctx.db.selectFrom('objects').selectAll().where('jobId', '=', jobId).execute();

/** Returns the seconds from the database's current time to a time of a row. */
async function secondsUntil(db: Db, id: string, column: 'notBefore' | 'expiresAt'): Promise<number> {
  const { s } = await db
    .selectFrom('jobs')
    .select(sql<number>`extract(epoch from ${sql.ref(column)} - now())::double precision`.as('s'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return s;
}

test('creating a job reserves one unit with a reason', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  expect(job).toMatchObject({ status: 'queued', attempt: 0, failures: 0, progress: 0, version: 1 });
  expect(await books(job.id)).toEqual([
    {
      kind: 'reserve',
      units: -1,
      meter: 'standard',
      reason: 'Reserved for one image of 16 x 16 pixels with standard',
    },
  ]);
});

test('completing a job settles its unit, stores result and thumbnail for a day, and deletes the source', async () => {
  const { actor, id } = await startJob();
  const done = await deliverJob(ctx, await row(id));
  expect(done).toMatchObject({ status: 'completed', progress: 100 });
  expect(await lease(id)).toBeUndefined();
  expect((await books(id)).map(({ kind, units }) => [kind, units])).toEqual([
    ['reserve', -1],
    ['settle', 0],
  ]);
  expect(await secondsUntil(ctx.db, id, 'expiresAt')).toBeGreaterThan(day - 60);
  const found = await getJob(ctx, { actor, id });
  expect(found.result?.key).toBe(`results/${id}/1`);
  expect(found.thumbnail?.key).toBe(`thumbnails/${id}/1`);
  const stored = (await objects(id)).filter(({ state }) => state === 'stored');
  expect(stored.map(({ kind }) => kind).sort()).toEqual(['result', 'thumbnail']);
});

test('each change is published with the version of the row', async () => {
  const actor = await makeUser(ctx.db);
  const heard: unknown[] = [];
  const stop = ctx.subscriber.subscribe(actor.accountId, (change) => heard.push(change));
  // Subscribing is asynchronous, so publish until a message arrives.
  await waitUntil(async () => {
    await ctx.publisher.publish(actor.accountId, { jobId: actor.accountId, version: 0 });
    return heard.length > 0;
  });
  heard.length = 0;
  const { job } = await makeJob(ctx, actor);
  const claimed = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  const done = await deliverJob(ctx, { id: job.id, attempt: 1 });
  const versions = [job.version, claimed?.job.version, done?.version];
  await waitUntil(() => heard.some((change) => (change as { version: number }).version === done?.version));
  stop();
  expect(heard.filter((change) => (change as { jobId: string }).jobId === job.id)).toEqual(
    versions.map((version) => ({ jobId: job.id, version })),
  );
  expect(versions).toEqual([1, 2, 3]);
});

test('a permanent failure ends the job immediately and releases its unit', async () => {
  const { id } = await startJob();
  const failed = await failJob(ctx, { jobId: id, attempt: 1, code: 'corrupt_image', retryBaseS: 100 });
  expect(failed).toMatchObject({ status: 'failed', failures: 1, errorCode: 'corrupt_image' });
  expect(await lease(id)).toBeUndefined();
  expect(failed?.errorDetail).toMatch(/damaged/);
  expect((await books(id)).at(-1)).toMatchObject({
    kind: 'release',
    units: 1,
    reason: 'Refunded: the image is damaged or incomplete',
  });
});

test('the source of a failed job is deleted after an hour', async () => {
  const { id } = await startJob();
  await failJob(ctx, { jobId: id, attempt: 1, code: 'corrupt_image', retryBaseS: 0 });
  expect(await deleteMarkedObjects(ctx, day)).toBe(0);
  const [source] = await objects(id);
  expect(Number(source?.expiresAt) - Date.now()).toBeGreaterThan(59 * 60_000);
  await ctx.db.updateTable('objects').set({ expiresAt: sql<Date>`now()` }).where('jobId', '=', id).execute();
  expect(await deleteMarkedObjects(ctx, day)).toBe(1);
  expect(await ctx.storage.head(source?.key ?? '')).toBeUndefined();
});

test('a crashed job is retried with doubling delays, and fails after the third attempt', async () => {
  const { id } = await startJob();
  for (const [failures, pauseS] of [
    [1, 100],
    [2, 200],
  ] as const) {
    const back = await failJob(ctx, { jobId: id, attempt: failures, code: 'processing_crashed', retryBaseS: 100 });
    expect(back).toMatchObject({ status: 'queued', failures, progress: 0 });
    expect(await lease(id)).toBeUndefined();
    const waits = await secondsUntil(ctx.db, id, 'notBefore');
    expect(waits).toBeGreaterThan(pauseS - 20);
    expect(waits).toBeLessThanOrEqual(pauseS);
    expect(await books(id)).toHaveLength(1);
    await claimAgain(id);
  }
  const failed = await failJob(ctx, { jobId: id, attempt: 3, code: 'processing_crashed', retryBaseS: 100 });
  expect(failed).toMatchObject({ status: 'failed', failures: 3, errorCode: 'processing_crashed' });
  expect((await books(id)).map(({ kind }) => kind)).toEqual(['reserve', 'release']);
});

test('returning a job never counts as a failure', async () => {
  const { id } = await startJob();
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect(await returnJob(ctx, { jobId: id, attempt, delayS: 0 })).toMatchObject({ status: 'queued', failures: 0 });
    await claimAgain(id);
  }
  expect((await deliverJob(ctx, await row(id)))?.attempt).toBe(6);
});

test('an attempt renews its lease with its progress', async () => {
  const { id } = await startJob();
  const [before, leased] = [await findJob(ctx.db, id), await lease(id)];
  expect(await renewLease(ctx, { jobId: id, attempt: 1, leaseS: 300, progress: 40 })).toBe(true);
  const [after, renewed] = [await findJob(ctx.db, id), await lease(id)];
  expect(after).toMatchObject({ progress: 40, version: (before?.version ?? 0) + 1 });
  expect(after?.updatedUs).toBeGreaterThan(before?.updatedUs ?? 0);
  expect(Number(renewed?.leaseUntil) - Number(leased?.leaseUntil)).toBeGreaterThan(200_000);
  // The end of the attempt keeps its progress and continues its version.
  const failed = await failJob(ctx, { jobId: id, attempt: 1, code: 'corrupt_image', retryBaseS: 0 });
  expect(failed).toMatchObject({ progress: 40, version: (after?.version ?? 0) + 1 });
});

test('an attempt that lost its job cannot renew, fail, return, or complete it', async () => {
  const { id } = await startJob();
  await returnJob(ctx, { jobId: id, attempt: 1, delayS: 0 });
  await claimAgain(id);
  const before = await row(id);
  const late = { jobId: id, attempt: 1 };
  expect(await renewLease(ctx, { ...late, leaseS: 30 })).toBe(false);
  expect(await failJob(ctx, { ...late, code: 'corrupt_image', retryBaseS: 0 })).toBeUndefined();
  expect(await returnJob(ctx, { ...late, delayS: 0 })).toBeUndefined();
  expect(await beginResult(ctx, late)).toBeUndefined();
  expect(await row(id)).toEqual(before);
});

test('a result of an attempt that lost its job is not delivered, and its files are deleted', async () => {
  const { id } = await startJob();
  const slots = await beginResult(ctx, { jobId: id, attempt: 1 });
  if (!slots) throw new Error('the first attempt holds the job');
  const late = await writeResult(ctx, { jobId: id, attempt: 1 }, slots);
  await ctx.db
    .updateTable('jobLeases')
    .set({ leaseUntil: sql<Date>`now() - interval '1 second'` })
    .where('jobId', '=', id)
    .execute();
  await failExpiredLeases(ctx, 0);
  await claimAgain(id);
  expect(await completeJob(ctx, late)).toBeUndefined();
  expect(await row(id)).toMatchObject({ status: 'processing', attempt: 2, resultId: null });
  expect((await deliverJob(ctx, { id, attempt: 2 }))?.status).toBe('completed');
  await deleteMarkedObjects(ctx, day);
  expect(await ctx.storage.head(slots.result.key)).toBeUndefined();
  expect(await ctx.storage.head(slots.thumbnail.key)).toBeUndefined();
  expect((await objects(id)).map(({ kind, key }) => [kind, key]).sort()).toEqual([
    ['result', `results/${id}/2`],
    ['thumbnail', `thumbnails/${id}/2`],
  ]);
});

test('completing a job again changes nothing', async () => {
  const { id } = await startJob();
  const slots = await beginResult(ctx, { jobId: id, attempt: 1 });
  const delivery = slots && (await writeResult(ctx, { jobId: id, attempt: 1 }, slots));
  if (!delivery) throw new Error('the first attempt holds the job');
  const done = await completeJob(ctx, delivery);
  expect(await completeJob(ctx, delivery)).toBeUndefined();
  expect((await row(id)).version).toBe(done?.version);
});

test('beginning the result of an attempt again returns the same slots', async () => {
  const { id } = await startJob();
  const first = await beginResult(ctx, { jobId: id, attempt: 1 });
  expect(await beginResult(ctx, { jobId: id, attempt: 1 })).toEqual(first);
  expect((await deliverJob(ctx, { id, attempt: 1 }))?.status).toBe('completed');
});

test('creating a job fails when its upload was deleted', async () => {
  const actor = await makeUser(ctx.db);
  const upload = await beginUpload(ctx, { actor });
  await markUploadForDeletion(ctx.db, upload.id);
  const { job } = await makeJob(ctx, actor);
  const source = { id: upload.id, sizeBytes: 1, sha256: createHash('sha256').update('x').digest('hex') };
  const inspection = job.plan.source;
  const create = createJob(ctx, {
    actor,
    recipe: job.recipe,
    plan: job.plan,
    filename: 'a.png',
    source: { ...source, inspection },
  });
  await expect(create).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await ctx.db.selectFrom('jobs').select('id').execute()).toEqual([{ id: job.id }]);
});

test('an upload that became a job cannot be abandoned', async () => {
  // The gateway abandons an upload when the response of the commit is lost, although the job exists.
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  const source = (await objects(job.id)).at(0);
  await abandonUpload(ctx, { id: source?.id ?? '', key: source?.key ?? '' });
  expect(await ctx.storage.head(source?.key ?? '')).toBeDefined();
  await claimAgain(job.id);
  expect((await deliverJob(ctx, await row(job.id)))?.status).toBe('completed');
});
