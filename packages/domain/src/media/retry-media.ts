import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { updateMedia } from '@uprez/db/queries/media/media-files';
import { auditedBy } from '../admin/administrator.ts';
import type { Needs } from '../context.ts';
import { getMedia } from './list-media.ts';
import { lockFile, type MediaChange } from './update-media.ts';

/** Retries the failed WebP variants of an image. No-op for other images. Throws `media_not_found`. */
export const retryMedia = ({ db }: Needs<'db'>, change: MediaChange): Promise<MediaFile> =>
  db.transaction().execute(async (tx) => {
    const { id, state } = await lockFile(tx, change);
    if (state === 'failed') {
      await updateMedia(tx, id, { state: 'processing', attempt: 0, failures: 0, leaseUntil: null });
      const [before, after] = [{ state }, { state: 'processing' }];
      const about = { action: 'media.retry', subject: `media:${id}` };
      await insertAudit(tx, { ...auditedBy(change.admin), ...about, before, after });
    }
    return getMedia({ db: tx }, id);
  });
