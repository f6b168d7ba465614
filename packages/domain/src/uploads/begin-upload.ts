import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { formatBytes } from '@uprez/contracts/texts/format';
import type { DbOrTx } from '@uprez/db/database';
import {
  deleteObjectRows,
  insertObjects,
  markUploadForDeletion,
  updateReservedBytes,
} from '@uprez/db/queries/jobs/objects';
import { lockStorage, sumStoredBytes } from '@uprez/db/queries/usage/usage';
import { checkUrl } from '@uprez/guarded-fetch/check-url';
import { fetchGuarded } from '@uprez/guarded-fetch/fetch-guarded';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox, surfaceOf } from '../actor.ts';
import type { Needs } from '../context.ts';

/** `reservedBytes`: size that counts toward the account's storage until the upload is stored. */
export type BegunUpload = { id: string; key: string; reservedBytes?: number };

/**
 * Inserts the object row for an upload before its first byte is stored. From then on, `bytes` counts toward the
 * account's storage: the size of the upload, or its maximum size if the size isn't known. Throws `storage_full`.
 */
export async function beginUpload(
  ctx: Needs<'db'>,
  { actor, bytes = maxUploadBytesOf(actor) }: { actor: Actor; bytes?: number | undefined },
): Promise<BegunUpload> {
  return ctx.db.transaction().execute(async (tx) => {
    await lockStorage(tx, actor.accountId);
    await requireStorage(tx, actor);
    return { ...(await insertUpload({ db: tx }, actor.accountId, bytes)), reservedBytes: bytes };
  });
}

/** Minimum difference between the reserved and the actual size that is worth a query, in bytes. */
const reservedSlackBytes = 1024 * 1024;

/** Replaces the reserved size of an upload with its actual size. Does nothing if the difference is small. */
export async function settleReservedBytes(
  ctx: Needs<'db'>,
  { id, reservedBytes, sizeBytes }: BegunUpload & { sizeBytes: number },
): Promise<void> {
  if (reservedBytes !== undefined && reservedBytes - sizeBytes > reservedSlackBytes)
    await updateReservedBytes(ctx.db, id, sizeBytes);
}

/** Inserts the object row of an upload or of a preview's patch. `accountId`: null for visitors. */
export async function insertUpload(
  ctx: { db: DbOrTx },
  accountId: string | null,
  reservedBytes: number | null = null,
): Promise<{ id: string; key: string }> {
  const id = uuidv7();
  const key = objectKeys.upload(id);
  await insertObjects(ctx.db, [{ id, accountId, kind: 'source', key, size: reservedBytes }]);
  return { id, key };
}

/** Throws `storage_full`. */
async function requireStorage(tx: DbOrTx, { accountId, plan }: Actor): Promise<void> {
  const stored = checkPlanLimits(plan, { what: 'store', bytes: await sumStoredBytes(tx, accountId) });
  if (stored.ok) return;
  const { code, limit, value, unlockedBy } = stored;
  const ways = unlockedBy
    ? `, wait until they expire, or upgrade to ${currentPlans[unlockedBy].name}`
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

export type { FetchNetwork } from '@uprez/guarded-fetch/fetch-guarded';
/**
 * `check`: throws for a URL that isn't allowed. It is also called for redirects. `seconds`: timeout for the whole
 * fetch.
 */
export type FetchInput = {
  url: string;
  signal: AbortSignal;
  check?: ((url: URL) => void) | undefined;
  seconds?: number | undefined;
};
/** Fetches an image into storage. Throws `url_not_allowed`, `url_unreachable`, `file_too_large`, or `storage_full`. */
export async function fetchUpload(
  ctx: Needs<'db' | 'storage' | 'log' | 'network'>,
  { actor, url, signal, check, seconds = limits.fetchSeconds }: { actor: Actor } & FetchInput,
) {
  const caps = { maxBytes: maxUploadBytesOf(actor), timeoutMs: seconds * 1_000 };
  const network = ctx.network && { network: ctx.network };
  const { stream, declaredBytes, ...facts } = await fetchGuarded(url, { ...caps, signal, check, ...network });
  try {
    const begun = await beginUpload(ctx, { actor, bytes: declaredBytes });
    try {
      const stored = await ctx.storage.put(begun.key, stream, { signal });
      await settleReservedBytes(ctx, { ...begun, ...stored });
      return { ...begun, ...stored, ...facts };
    } catch (error) {
      await abandonUpload(ctx, begun);
      throw error;
    }
  } finally {
    stream.destroy();
  }
}

/** Checks an image URL without resolving its host, and returns its filename. Throws `url_not_allowed` for `param`. */
export function checkImageUrl(text: string, param: string): string {
  try {
    const { pathname } = checkUrl(text.trim()).url;
    return pathname.split('/').at(-1) ?? '';
  } catch (error) {
    throw error instanceof AppError ? error.with({ param }) : error;
  }
}

/**
 * Returns an actor's upload limit, in bytes. The limit depends on the plan and is higher in the public API. The sandbox
 * has its own limit.
 */
export function maxUploadBytesOf(actor: Pick<Actor, 'plan' | 'key' | 'surface'>): number {
  if (isSandbox(actor)) return limits.sandboxBytes;
  return actor.plan.uploadBytes[surfaceOf(actor)] ?? limits.uploadBytes;
}
