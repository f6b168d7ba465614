import { AppError } from '@uprez/contracts/errors/app-error';
import { may } from '@uprez/contracts/policy/may';
import { plans } from '@uprez/contracts/policy/plans';
import { formatBytes } from '@uprez/contracts/texts/format';
import { deleteObjectRows, insertObjects, markUploadForDeletion } from '@uprez/db/queries/jobs/objects';
import { sumStoredBytes } from '@uprez/db/queries/usage/usage';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';

/** Inserts the object row of an upload before its first byte. Throws `storage_full`. */
export async function beginUpload(ctx: Needs<'db'>, { actor }: { actor: Actor }): Promise<{ id: string; key: string }> {
  await checkStorage(ctx, { actor });
  const id = uuidv7();
  const key = objectKeys.upload(id);
  await insertObjects(ctx.db, [{ id, accountId: actor.accountId, kind: 'source', key }]);
  return { id, key };
}

/** Checks that an account may store more. Concurrent uploads may exceed the limit together. Throws `storage_full`. */
export async function checkStorage(ctx: Needs<'db'>, { actor: { accountId, tier } }: { actor: Actor }): Promise<void> {
  const stored = may(tier, { what: 'store', bytes: await sumStoredBytes(ctx.db, accountId) });
  if (stored.ok) return;
  const { code, limit, value, unlockedBy } = stored;
  const ways = unlockedBy
    ? `, wait until they expire, or upgrade to ${plans[unlockedBy].name}`
    : ' or wait until they expire';
  throw new AppError(code, {
    detail: `Your ${formatBytes(Number(limit))} of storage is full. Delete results${ways}.`,
    meta: { limit, value, ...(unlockedBy && { unlockedBy }) },
  });
}

/** Deletes an upload that no job uses. If this fails, a scheduled task deletes it. */
export async function abandonUpload(ctx: Needs<'db' | 'storage' | 'log'>, upload: { id: string; key: string }) {
  try {
    if (!(await markUploadForDeletion(ctx.db, upload.id))) return;
    await ctx.storage.deleteMany([upload.key]);
    await deleteObjectRows(ctx.db, [upload.id]);
  } catch (error) {
    ctx.log.warn({ err: error, objectId: upload.id }, 'deleting an abandoned upload failed, the sweep will retry');
  }
}
