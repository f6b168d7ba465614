import { Readable } from 'node:stream';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { afterSeconds } from '@uprez/db/times';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { deleteMedia, deleteOldMedia, replaceMedia, restoreMedia } from '@uprez/domain/media/change-media';
import { findMediaDelivery } from '@uprez/domain/media/find-delivery';
import { getMedia } from '@uprez/domain/media/list-media';
import { type MediaContext, storeFile, uploadMedia } from '@uprez/domain/media/store-file';
import {
  beginVariants,
  claimVariants,
  completeVariants,
  failVariants,
  returnVariants,
  type VariantWork,
} from '@uprez/domain/media/variants';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
const day = 86_400;
let admin: Administrator;
beforeEach(async () => {
  await ctx.db.deleteFrom('mediaFiles').execute();
  await ctx.db.deleteFrom('media').execute();
  await ctx.db.updateTable('objects').set({ state: 'deleting' }).execute();
  await deleteMarkedObjects(ctx, day);
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'editor' }).where('id', '=', accountId).execute();
  admin = { accountId, address: undefined, permission: 'media.manage' };
});
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
});

const inspect = async () => ({ width: 400, height: 300 }) as Awaited<ReturnType<MediaContext['inspect']>>;
const media = (): MediaContext => ({ db: ctx.db, storage: ctx.storage, log: ctx.log, inspect });
const store = async (seed = 1) => {
  const bytes = await makeImage({ width: 400, height: 300, seed });
  const signal = new AbortController().signal;
  return storeFile(media(), { file: { name: 'a.png', bytes, isCut: false }, signal });
};
async function upload(): Promise<MediaFile> {
  const [file] = await uploadMedia(media(), { admin, stored: [await store()] });
  if (!file) throw new Error('nothing was uploaded');
  return file;
}
const replace = async (id: string) => replaceMedia(media(), { admin, id, stored: await store(2) });
async function claim(): Promise<VariantWork> {
  const work = await claimVariants(ctx, 60);
  if (!work) throw new Error('nothing to claim');
  return work;
}
async function complete(work: VariantWork): Promise<boolean> {
  const begun = await beginVariants(ctx, work);
  const put = async ({ id, key, width }: (typeof begun)[number]) => ({
    ...{ id, key, width },
    ...(await ctx.storage.put(key, Readable.from([Buffer.from(key)]))),
  });
  return completeVariants(ctx, work, await Promise.all(begun.map(put)));
}
const widthOf = async (id: string, version: number, name: string) =>
  (await findMediaDelivery(ctx, { id, version: String(version), name })).file.width;
const sweep = async () => {
  await deleteOldMedia(ctx);
  await deleteMarkedObjects(ctx, day);
};
const listKeys = async () => {
  const keys: string[] = [];
  for await (const { key } of ctx.storage.list('media/')) keys.push(key);
  return keys.length;
};

it('deletes a replaced version a day later, with its bytes', async () => {
  const { id } = await upload();
  expect(await complete(await claim())).toBe(true);
  await replace(id);
  await sweep();
  expect(await widthOf(id, 1, '400.webp')).toBe(400);
  const past = afterSeconds(-day - 1);
  await ctx.db.updateTable('mediaFiles').set({ supersededAt: past }).where('version', '=', 1).execute();
  await sweep();
  await expect(widthOf(id, 1, '400.webp')).rejects.toMatchObject({ code: 'media_not_found' });
  expect(await widthOf(id, 2, 'original.png')).toBeNull();
  expect(await listKeys()).toBe(1);
});

it('deletes a deleted file after 30 days, with its bytes, and can restore it before', async () => {
  const { id } = await upload();
  await complete(await claim());
  await deleteMedia(ctx, { admin, id });
  await sweep();
  expect(await restoreMedia(ctx, { admin, id })).toMatchObject({ deletedAt: null });
  await deleteMedia(ctx, { admin, id });
  await ctx.db
    .updateTable('media')
    .set({ deletedAt: afterSeconds(-30 * day - 1) })
    .execute();
  await expect(restoreMedia(ctx, { admin, id })).rejects.toMatchObject({ code: 'media_not_found' });
  await sweep();
  await expect(getMedia(ctx, id)).rejects.toMatchObject({ code: 'media_not_found' });
  expect(await listKeys()).toBe(0);
});

it('gives an image to one worker at a time, and takes nothing from one that lost it', async () => {
  const { id } = await upload();
  const lost = await claim();
  expect(await claimVariants(ctx, 60)).toBeUndefined();
  await ctx.db
    .updateTable('media')
    .set({ leaseUntil: afterSeconds(-1) })
    .execute();
  const next = await claim();
  expect(next.attempt).toBe(lost.attempt + 1);
  expect(await complete(lost)).toBe(false);
  await replace(id);
  expect(await complete(next)).toBe(false);
  expect(await getMedia(ctx, id)).toMatchObject({ version: 2, state: 'processing' });
  expect(await complete(await claim())).toBe(true);
  expect(await getMedia(ctx, id)).toMatchObject({ state: 'ready' });
  await ctx.db.updateTable('objects').set({ state: 'deleting' }).where('state', '=', 'writing').execute();
  await sweep();
});

it('fails an image after three failed attempts, but not after interruptions', async () => {
  const { id } = await upload();
  for (let interruptions = 1; interruptions <= 4; interruptions++)
    await returnVariants(ctx, await claim(), { stopping: true });
  // Storage is away for more than an hour.
  for (let waitedS = 0; waitedS < 3_600; ) {
    await returnVariants(ctx, await claim(), { stopping: false });
    const lease = sql<number>`extract(epoch from lease_until - now())::float`.as('s');
    waitedS += (await ctx.db.selectFrom('media').select(lease).executeTakeFirstOrThrow()).s + 1;
    await ctx.db.updateTable('media').set({ leaseUntil: null }).execute();
  }
  for (let failures = 1; failures <= 3; failures++) {
    await ctx.db.updateTable('media').set({ leaseUntil: null }).execute();
    await failVariants(ctx, await claim(), { isLast: false });
    expect((await getMedia(ctx, id)).state).toBe(failures === 3 ? 'failed' : 'processing');
  }
  expect(await claimVariants(ctx, 60)).toBeUndefined();
});
