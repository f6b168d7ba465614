import { AppError } from '@uprez/contracts/errors/app-error';
import { mediaLimits } from '@uprez/contracts/policy/images/media';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { purgeMedia, purgeSuperseded, setDeleted } from '@uprez/db/queries/media/media-files';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import { auditedBy } from '../admin/administrator.ts';
import type { Needs } from '../context.ts';
import { getMedia, listUses } from './list-media.ts';
import { lockAnyFile, lockFile, type MediaChange } from './update-media.ts';

/**
 * Deletes a file, which can be restored for a limited time. Throws `media_not_found`, and `media_in_use` with the
 * articles that use the file.
 */
export const deleteMedia = ({ db }: Needs<'db'>, change: MediaChange): Promise<void> =>
  db.transaction().execute(async (tx) => {
    // Articles lock the files that they start to use.
    const { id } = await lockFile(tx, change);
    const places = await listUses(tx, id);
    if (places.length > 0) throw new AppError('media_in_use', { meta: { places } });
    await setDeleted(tx, id, true);
    const [before, after] = [{ deleted: false }, { deleted: true }];
    await insertAudit(tx, {
      ...auditedBy(change.admin),
      ...{ action: 'media.delete', subject: `media:${id}`, before, after },
    });
  });

/** Restores a deleted file. No-op for other files. Throws `media_not_found`, including after the restore period. */
export const restoreMedia = ({ db }: Needs<'db'>, change: MediaChange): Promise<MediaFile> =>
  db.transaction().execute(async (tx) => {
    const { id, deletedAt } = await lockAnyFile(tx, change);
    if (!deletedAt) return getMedia({ db: tx }, id);
    if (!(await isInFuture(tx, new Date(Number(deletedAt) + mediaLimits.deletedDays * 86_400_000))))
      throw new AppError('media_not_found');
    await setDeleted(tx, id, false);
    const [before, after] = [{ deleted: true }, { deleted: false }];
    await insertAudit(tx, {
      ...auditedBy(change.admin),
      ...{ action: 'media.restore', subject: `media:${id}`, before, after },
    });
    return getMedia({ db: tx }, id);
  });

/** Pages loaded before a file was replaced may still request its previous version. */
const supersededS = 86_400;

/**
 * Deletes files that can no longer be restored, and previous versions of replaced files. Returns the number of files.
 * Idempotent.
 */
export const deleteOldMedia = ({ db }: Needs<'db'>): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const superseded = await purgeSuperseded(tx, supersededS);
    return superseded + (await purgeMedia(tx, mediaLimits.deletedDays * 86_400));
  });
