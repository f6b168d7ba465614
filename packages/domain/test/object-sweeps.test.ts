import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { limits } from '@uprez/contracts/policy/limits';
import { sumStoredBytes } from '@uprez/db/queries/usage/usage';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { getJob } from '@uprez/domain/jobs/get-job';
import { beginUpload } from '@uprez/domain/uploads/begin-upload';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { deliverJob } from '@uprez/testing/deliver-job';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import { abandonUpload, fetchUpload, settleReservedBytes } from '../src/uploads/begin-upload.ts';
import { deleteMarkedObjects, deleteOrphanObjects } from '../src/uploads/delete-objects.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  await deleteMarkedObjects(ctx, day);
});
afterAll(() => ctx.close());

const day = 86_400;
const put = (key: string) => ctx.storage.put(key, Readable.from([Buffer.from(key)]));
const fileOf = (key: string) => path.join(ctx.dataDir, 'objects', key);

async function makeFinishedJob() {
  const actor = await makeUser(ctx.db);
  await makeJob(ctx, actor);
  const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  if (claim?.job.accountId !== actor.accountId) throw new Error('another job was waiting');
  await deliverJob(ctx, claim.job);
  return { actor, ...(await getJob(ctx, { actor, id: claim.job.id })) };
}

async function passDay(jobId: string): Promise<void> {
  await ctx.db.updateTable('jobs').set({ expiresAt: sql<Date>`now()` }).where('id', '=', jobId).execute();
  await ctx.db
    .updateTable('objects')
    .set({ expiresAt: sql<Date>`case when expires_at is null then null else now() end` })
    .where('jobId', '=', jobId)
    .execute();
}

test('an expired result is deleted with its bytes, and others are kept', async () => {
  const [due, kept] = [await makeFinishedJob(), await makeFinishedJob()];
  await passDay(due.job.id);
  expect(await expireJobs(ctx)).toBe(1);
  await deleteMarkedObjects(ctx, day);
  const after = await getJob(ctx, { actor: due.actor, id: due.job.id });
  expect(after).toMatchObject({ job: { status: 'expired' }, result: undefined, thumbnail: undefined });
  expect(after.job.deletedAt).toBeInstanceOf(Date);
  expect(await ctx.storage.head(due.result?.key ?? '')).toBeUndefined();
  expect(await ctx.storage.head(kept.result?.key ?? '')).toBeDefined();
  expect(await expireJobs(ctx)).toBe(0);
});

test('a completed job keeps its result until it expires, whichever sweep runs first', async () => {
  const { actor, job, result } = await makeFinishedJob();
  await passDay(job.id);
  await deleteMarkedObjects(ctx, day);
  const before = await getJob(ctx, { actor, id: job.id });
  expect(before.job.status === 'completed').toBe(before.result !== undefined);
  await expireJobs(ctx);
  await deleteMarkedObjects(ctx, day);
  expect(await ctx.storage.head(result?.key ?? '')).toBeUndefined();
});

test('uploads count toward the storage of their account from their first byte, however many begin at once', async () => {
  const actor = await makeUser(ctx.db);
  const bytes = Math.floor(actor.plan.storageBytes / 10);
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => beginUpload(ctx, { actor, bytes })));
  const begun = tries.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const errors = tries.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
  // The last one may exceed the limit.
  expect(begun).toHaveLength(11);
  expect(new Set(errors)).toEqual(new Set(['storage_full']));
  const sum = () => sumStoredBytes(ctx.db, actor.accountId);
  expect(await sum()).toBe(11 * bytes);
  const [first] = begun;
  if (first) await settleReservedBytes(ctx, { ...first, sizeBytes: 1 });
  expect(await sum()).toBe(10 * bytes + 1);
  const slowestS = bytes / limits.bodyBytesPerSecond + limits.bodyPaceSeconds;
  await ctx.db
    .updateTable('objects')
    .set({ createdAt: sql<Date>`now() - make_interval(secs => ${slowestS + 1}::float)` })
    .where('accountId', '=', actor.accountId)
    .execute();
  expect(await sum()).toBe(0);
  for (const upload of begun) await abandonUpload(ctx, upload);
});

test('a fetched file counts with the size that its server declares', async () => {
  let finish = () => {};
  const site = await openTlsSite((_request, response) => {
    response.setHeader('content-length', 8).write('half');
    finish = () => void response.end('half');
  });
  const actor = await makeUser(ctx.db);
  const { signal } = new AbortController();
  const wanted = { actor, url: 'https://images.example/', signal };
  const fetching = fetchUpload({ ...ctx, network: site.network }, wanted);
  const sum = () => sumStoredBytes(ctx.db, actor.accountId);
  await waitUntil(async () => (await sum()) > 0);
  expect(await sum()).toBe(8);
  finish();
  const fetched = await fetching;
  expect(fetched.sizeBytes).toBe(8);
  await abandonUpload(ctx, fetched);
  await site.close();
});

test('an abandoned upload is deleted immediately with its row', async () => {
  const upload = await beginUpload(ctx, { actor: await makeUser(ctx.db) });
  await put(upload.key);
  await abandonUpload(ctx, upload);
  expect(await ctx.storage.head(upload.key)).toBeUndefined();
  expect(await ctx.db.selectFrom('objects').where('id', '=', upload.id).selectAll().execute()).toEqual([]);
});

test('the sweep deletes an abandoned upload whose deletion failed', async () => {
  const upload = await beginUpload(ctx, { actor: await makeUser(ctx.db) });
  await put(upload.key);
  const warnings: string[] = [];
  const broken = { ...ctx.storage, deleteMany: () => Promise.reject(new Error('the disk is away')) };
  const log = { ...ctx.log, warn: (_: object, message: string) => warnings.push(message) };
  await abandonUpload({ ...ctx, storage: broken, log }, upload);
  expect(warnings).toEqual(['deleting an abandoned upload failed, the sweep will retry']);
  expect(await deleteMarkedObjects(ctx, day)).toBe(1);
  expect(await ctx.storage.head(upload.key)).toBeUndefined();
});

test('unfinished uploads are deleted after their time limit, and newer ones are kept', async () => {
  const actor = await makeUser(ctx.db);
  const [old, fresh] = [await beginUpload(ctx, { actor }), await beginUpload(ctx, { actor })];
  for (const { key } of [old, fresh]) await put(key);
  const { job } = await makeJob(ctx, actor);
  await ctx.db
    .updateTable('objects')
    .set({ createdAt: sql<Date>`now() - interval '25 hours'` })
    .where('accountId', '=', actor.accountId)
    .where('id', '<>', fresh.id)
    .execute();
  expect(await deleteMarkedObjects(ctx, day)).toBe(1);
  expect(await ctx.storage.head(old.key)).toBeUndefined();
  expect(await ctx.storage.head(fresh.key)).toBeDefined();
  expect(await ctx.db.selectFrom('objects').select('state').where('jobId', '=', job.id).execute()).toEqual([
    { state: 'stored' },
  ]);
  await abandonUpload(ctx, fresh);
  await deleteJob(ctx, { actor, id: job.id });
});

test('a sweep deletes more objects than one batch', async () => {
  const actor = await makeUser(ctx.db);
  await sql`insert into objects (id, account_id, kind, key, state)
    select id, ${actor.accountId}, 'source', 'uploads/' || id, 'deleting'
    from (select gen_random_uuid() as id from generate_series(1, 1200)) made`.execute(ctx.db);
  expect(await deleteMarkedObjects(ctx, day)).toBe(1_200);
});

test('200 old orphans are deleted, and 50 new ones and all known objects are kept', async () => {
  const { result, thumbnail } = await makeFinishedJob();
  const waiting = await makeJob(ctx, await makeUser(ctx.db));
  const source = await ctx.db
    .selectFrom('objects')
    .selectAll()
    .where('jobId', '=', waiting.job.id)
    .executeTakeFirstOrThrow();
  const keys = (count: number, name: (id: string) => string) => Array.from({ length: count }, () => name(randomUUID()));
  const old = [
    ...keys(80, (id) => `uploads/${id}`),
    ...keys(60, (id) => `results/${id}/1`),
    ...keys(60, (id) => `thumbnails/${id}/2`),
  ];
  const fresh = [...keys(25, (id) => `uploads/${id}`), ...keys(25, (id) => `results/${id}/1`)];
  await Promise.all([...old, ...fresh].map(put));
  const known = [result?.key ?? '', thumbnail?.key ?? '', source.key];
  const longAgo = new Date(Date.now() - 2 * day * 1_000);
  await Promise.all([...old, ...known].map((key) => fs.utimes(fileOf(key), longAgo, longAgo)));

  expect((await checkLedger(ctx)).errors.filter((error) => error.endsWith('bytes without a row'))).toHaveLength(250);
  expect(await deleteOrphanObjects(ctx, day)).toBe(200);
  const left = async (wanted: string[]) =>
    (await Promise.all(wanted.map((key) => ctx.storage.head(key)))).filter((facts) => facts !== undefined).length;
  expect([await left(old), await left(fresh), await left(known)]).toEqual([0, 50, 3]);
  expect(await deleteOrphanObjects(ctx, day)).toBe(0);
  await ctx.storage.deleteMany(fresh);
});
