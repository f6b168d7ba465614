import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { reconcileFiles } from '@uprez/domain/recovery/reconcile-files';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { deliverJob } from '@uprez/testing/deliver-job';
import { addMedia } from '@uprez/testing/factories/add-media';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { expect, it } from 'vitest';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { deleteMarkedObjects } from '../../src/uploads/delete-objects.ts';

const ctx = fileFixture(() => openTestContext());

async function makeCompleted() {
  await makeJob(ctx, await makeUser(ctx.db));
  const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  const job = claim && (await deliverJob(ctx, claim.job));
  if (!job) throw new Error('no completed job');
  return job;
}

const objectsOf = (jobId: string) =>
  ctx.db.selectFrom('objects').select(['id', 'kind', 'key', 'state']).where('jobId', '=', jobId).execute();
const put = (key: string) => ctx.storage.put(key, Readable.from([Buffer.from(key)]));

/** Adds a file to the media library whose object has no bytes. */
async function addLostMedia(): Promise<string> {
  const { id: mediaId } = await addMedia(ctx.db);
  const objectId = randomUUID();
  const facts = { kind: 'media', state: 'stored', size: 1, sha256: '0'.repeat(64) } as const;
  await ctx.db
    .insertInto('objects')
    .values({ ...facts, id: objectId, key: `media/${objectId}` })
    .execute();
  await ctx.db.insertInto('mediaFiles').values({ mediaId, version: 1, format: 'png', objectId }).execute();
  return objectId;
}

it('marks objects without a file, deletes files without a row, and leaves the rest', async () => {
  const [lost, kept] = [await makeCompleted(), await makeCompleted()];
  const { job: queued } = await makeJob(ctx, await makeUser(ctx.db));
  const gone = [...(await objectsOf(lost.id)), ...(await objectsOf(queued.id))].filter(
    ({ state }) => state === 'stored',
  );
  await ctx.storage.deleteMany(gone.map(({ key }) => key));
  const mediaObject = await addLostMedia();
  const orphan = `results/${randomUUID()}/1`;
  await put(orphan);
  const expected = [...gone.map(({ id }) => id), mediaObject].sort();

  const found = await reconcileFiles(ctx, { isApplied: false });
  expect(found.missing.map(({ id }) => id).sort()).toEqual(expected);
  expect(found.orphans).toEqual([orphan]);
  expect(await ctx.storage.head(orphan)).toBeDefined();
  expect((await objectsOf(lost.id)).filter(({ state }) => state === 'deleting')).toEqual(
    (await objectsOf(lost.id)).filter(({ kind }) => kind === 'source'),
  );

  const applied = await reconcileFiles(ctx, { isApplied: true });
  expect(applied).toEqual(found);
  expect((await checkLedger(ctx)).errors).toEqual([]);
  await deleteMarkedObjects(ctx, 86_400);
  expect(await reconcileFiles(ctx, { isApplied: true })).toMatchObject({ missing: [], orphans: [] });
  const jobs = await ctx.db.selectFrom('jobs').select(['id', 'status']).execute();
  expect(Object.fromEntries(jobs.map(({ id, status }) => [id, status]))).toEqual({
    [lost.id]: 'expired',
    [kept.id]: 'completed',
    [queued.id]: 'queued',
  });
  expect(await objectsOf(kept.id)).toHaveLength(2);
  expect(await ctx.db.selectFrom('mediaFiles').selectAll().execute()).toEqual([]);
});

it('changes nothing if the storage has no file of the database, unless it is forced', async () => {
  const job = await makeCompleted();
  const other = await openTestContext();
  const orphan = `results/${randomUUID()}/1`;
  const mixed = { db: ctx.db, storage: other.storage };
  try {
    await other.storage.put(orphan, Readable.from([Buffer.from(orphan)]));
    await expect(reconcileFiles(mixed, { isApplied: true })).rejects.toThrow('The storage has none of the');
    expect(await other.storage.head(orphan)).toBeDefined();
    expect(await findJob(ctx.db, job.id)).toMatchObject({ status: 'completed' });
    await reconcileFiles(mixed, { isApplied: true, isForced: true });
    expect(await other.storage.head(orphan)).toBeUndefined();
    expect(await findJob(ctx.db, job.id)).toMatchObject({ status: 'expired' });
  } finally {
    await other.close();
  }
});
