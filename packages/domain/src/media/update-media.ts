import type { MediaChanges, MediaFile } from '@uprez/contracts/schemas/content/media';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { updateMedia as updateRow } from '@uprez/db/queries/media/media-files';
import { auditedBy } from '../admin/administrator.ts';
import { changedFields } from '../admin/change-user.ts';
import { showChange } from '../content/store/show-change.ts';
import type { Needs } from '../context.ts';
import { getMedia } from './list-media.ts';
import { lockFile, type MediaChange } from './lock-file.ts';

/** Changes the name or the alternative text of a file. Absent fields keep their value. Throws `media_not_found`. */
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
