import { AppError } from '@uprez/contracts/errors/app-error';
import type { MediaChanges, MediaFile } from '@uprez/contracts/schemas/content/media';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { lockMedia, type MediaRow, updateMedia as updateRow } from '@uprez/db/queries/media/media-files';
import { isUuid } from '../actor.ts';
import { type Administrator, auditedBy, lockAdmin } from '../admin/administrator.ts';
import { changedFields } from '../admin/change-user.ts';
import { showChange } from '../content/store/show-change.ts';
import type { Needs } from '../context.ts';
import { getMedia } from './list-media.ts';

/** Changes the name or the alternative text of a file. Omitted fields keep their value. Throws `media_not_found`. */
export async function updateMedia(
  ctx: Needs<'db' | 'log'>,
  { changes, ...change }: MediaChange & { changes: MediaChanges },
): Promise<MediaFile> {
  const { isAltChanged, ...updated } = await ctx.db.transaction().execute(async (tx) => {
    const held = await lockFile(tx, change);
    const before = { name: held.name, alt: held.alt };
    const after = { name: changes.originalName ?? held.name, alt: changes.alt ?? held.alt };
    const changed = changedFields(before, after);
    const isAltChanged = before.alt !== after.alt;
    if (changed) {
      await updateRow(tx, held.id, { ...after, change: isAltChanged ? held.change + 1 : held.change });
      const about = { action: 'media.update', subject: `media:${held.id}` };
      await insertAudit(tx, { ...auditedBy(change.admin), ...about, ...changed });
    }
    return { isAltChanged, file: await getMedia({ db: tx }, held.id) };
  });
  if (isAltChanged) await showChange(ctx, updated.file.id);
  return updated.file;
}

export type MediaChange = { admin: Administrator; id: string };

/** Locks a file, even if it is deleted, for a change by an administrator. Throws `media_not_found`. */
export async function lockAnyFile(tx: Tx, { admin, id }: MediaChange): Promise<MediaRow> {
  await lockAdmin(tx, admin);
  const held = isUuid(id) ? await lockMedia(tx, id) : undefined;
  if (!held) throw new AppError('media_not_found');
  return held;
}

/** Locks a file that isn't deleted for a change by an administrator. Throws `media_not_found`. */
export async function lockFile(tx: Tx, change: MediaChange): Promise<MediaRow> {
  const held = await lockAnyFile(tx, change);
  if (held.deletedAt) throw new AppError('media_not_found');
  return held;
}
