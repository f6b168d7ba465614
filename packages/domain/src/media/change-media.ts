import { AppError } from '@uprez/contracts/errors/app-error';
import { mediaLimits } from '@uprez/contracts/policy/images/media';
import type { MediaChanges, MediaFile } from '@uprez/contracts/schemas/content/media';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import {
  lockMedia,
  type MediaRow,
  purgeMedia,
  purgeSupersededFiles,
  setMediaDeleted,
  supersedeFiles,
  updateMedia as updateRow,
} from '@uprez/db/queries/media/media-files';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import { getByUuid } from '../actor.ts';
import { type Administrator, lockAdmin, toAuditFields } from '../admin/administrator.ts';
import { diffFields } from '../admin/change-user.ts';
import { renderMediaUsers } from '../content/store/render-media-users.ts';
import type { Needs } from '../context.ts';
import { getMedia, listUses, mediaKindOf } from './list-media.ts';
import { abandonMediaFiles, contentOf, keepOriginal, type MediaContext, type StoredMedia } from './store-file.ts';

/** Changes the name or the alternative text of a file. Omitted fields keep their value. Throws `media_not_found`. */
export async function updateMedia(
  ctx: Needs<'db' | 'log'>,
  { changes, ...change }: MediaChange & { changes: MediaChanges },
): Promise<MediaFile> {
  const { isAltChanged, ...updated } = await ctx.db.transaction().execute(async (tx) => {
    const held = await lockFile(tx, change);
    const before = { name: held.name, alt: held.alt };
    const after = { name: changes.originalName ?? held.name, alt: changes.alt ?? held.alt };
    const changed = diffFields(before, after);
    const isAltChanged = before.alt !== after.alt;
    if (changed) {
      await updateRow(tx, held.id, { ...after, change: isAltChanged ? held.change + 1 : held.change });
      await auditMedia(tx, change, { action: 'media.update', ...changed });
    }
    return { isAltChanged, file: await getMedia({ db: tx }, held.id) };
  });
  if (isAltChanged) await renderMediaUsers(ctx, updated.file.id);
  return updated.file;
}

type MediaChange = { admin: Administrator; id: string };

/** Locks a file for a change by an administrator, even if the file is deleted. Throws `media_not_found`. */
async function lockAnyFile(tx: Tx, { admin, id }: MediaChange): Promise<MediaRow> {
  await lockAdmin(tx, admin);
  return getByUuid(id, () => lockMedia(tx, id), 'media_not_found');
}

/** Throws `media_not_found`, including for a deleted file. */
async function lockFile(tx: Tx, change: MediaChange): Promise<MediaRow> {
  const held = await lockAnyFile(tx, change);
  if (held.deletedAt) throw new AppError('media_not_found');
  return held;
}

type AuditedChange = { action: string; before: Record<string, unknown>; after: Record<string, unknown> };

const auditMedia = (tx: Tx, { admin, id }: MediaChange, audited: AuditedChange) =>
  insertAudit(tx, { ...toAuditFields(admin), subject: `media:${id.toLowerCase()}`, ...audited });

type Replacement = MediaChange & { stored: StoredMedia };

/**
 * Replaces the content of a file, which keeps its ID, name, and alternative text. Articles show the new content
 * immediately. Throws `media_not_found`. Throws `invalid_parameter` if an image would replace a document or the other
 * way around.
 */
export async function replaceMedia(ctx: MediaContext, { stored, ...change }: Replacement): Promise<MediaFile> {
  const replaced = ctx.db.transaction().execute(async (tx) => {
    const held = await lockFile(tx, change);
    requireMatchingKind(mediaKindOf(stored.type), mediaKindOf(held.type));
    await write(tx, { change, held, stored });
    return getMedia({ db: tx }, held.id);
  });
  const file = await replaced.catch(async (error: unknown) => {
    await abandonMediaFiles(ctx, [stored]);
    throw error;
  });
  await renderMediaUsers(ctx, file.id);
  return file;
}

function requireMatchingKind(kind: MediaFile['kind'], present: MediaFile['kind']): void {
  if (kind === present) return;
  const wanted = present === 'image' ? 'an image' : 'a document';
  throw new AppError('invalid_parameter', { param: 'file', detail: `Replace this file with ${wanted}.` });
}

type Writing = { change: MediaChange; held: MediaRow; stored: StoredMedia };

async function write(tx: Tx, { change, held, stored }: Writing): Promise<void> {
  const version = held.version + 1;
  const content = contentOf(stored);
  await supersedeFiles(tx, held.id);
  const row = { ...content, version, change: held.change + 1, attempt: 0, failures: 0, leaseUntil: null };
  await updateRow(tx, held.id, row);
  await keepOriginal(tx, stored, { mediaId: held.id, version });
  const before = { version: held.version, type: held.type, size: held.size };
  const after = { version, type: content.type, size: content.size };
  await auditMedia(tx, change, { action: 'media.replace', before, after });
}

/**
 * Retries creating an image's WebP variants after they have failed. No-op for other files. Throws `media_not_found`.
 */
export const retryMedia = ({ db }: Needs<'db'>, change: MediaChange): Promise<MediaFile> =>
  db.transaction().execute(async (tx) => {
    const { id, state } = await lockFile(tx, change);
    if (state === 'failed') {
      await updateRow(tx, id, { state: 'processing', attempt: 0, failures: 0, leaseUntil: null });
      await auditMedia(tx, change, { action: 'media.retry', before: { state }, after: { state: 'processing' } });
    }
    return getMedia({ db: tx }, id);
  });

/**
 * Deletes a file, which can be restored for a limited time. Throws `media_not_found`, and `media_in_use` with the
 * articles that use the file.
 */
export const deleteMedia = ({ db }: Needs<'db'>, change: MediaChange): Promise<void> =>
  db.transaction().execute(async (tx) => {
    // Adding a file to an article also locks the file, so no use can be added until this transaction ends.
    const { id } = await lockFile(tx, change);
    const places = await listUses(tx, id);
    if (places.length > 0) throw new AppError('media_in_use', { meta: { places } });
    await setMediaDeleted(tx, id, true);
    await auditMedia(tx, change, { action: 'media.delete', before: { deleted: false }, after: { deleted: true } });
  });

/** Restores a deleted file. No-op for other files. Throws `media_not_found`, including after the restore period. */
export const restoreMedia = ({ db }: Needs<'db'>, change: MediaChange): Promise<MediaFile> =>
  db.transaction().execute(async (tx) => {
    const { id, deletedAt } = await lockAnyFile(tx, change);
    if (!deletedAt) return getMedia({ db: tx }, id);
    if (!(await isInFuture(tx, new Date(Number(deletedAt) + mediaLimits.deletedDays * 86_400_000))))
      throw new AppError('media_not_found');
    await setMediaDeleted(tx, id, false);
    await auditMedia(tx, change, { action: 'media.restore', before: { deleted: true }, after: { deleted: false } });
    return getMedia({ db: tx }, id);
  });

/** Pages that were loaded before a file was replaced may still request its previous version. */
const supersededRetentionS = 86_400;

/**
 * Deletes files that can no longer be restored, and previous versions of replaced files. Returns the number of files.
 * Idempotent.
 */
export const deleteOldMedia = ({ db }: Needs<'db'>): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const superseded = await purgeSupersededFiles(tx, supersededRetentionS);
    return superseded + (await purgeMedia(tx, mediaLimits.deletedDays * 86_400));
  });
