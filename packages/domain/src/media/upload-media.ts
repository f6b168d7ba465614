import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { insertMedia } from '@uprez/db/queries/media/media-files';
import { uuidv7 } from 'uuidv7';
import { type Administrator, auditedBy, lockAdmin } from '../admin/administrator.ts';
import { getMedia } from './list-media.ts';
import { abandonMediaFiles, contentOf, keepOriginal, type MediaContext, type StoredMedia } from './store-file.ts';

type Upload = { admin: Administrator; stored: readonly StoredMedia[] };

/** Adds stored files to the media library, all or none. */
export async function uploadMedia(ctx: MediaContext, { admin, stored }: Upload): Promise<MediaFile[]> {
  try {
    return await ctx.db.transaction().execute(async (tx) => {
      await lockAdmin(tx, admin);
      const files: MediaFile[] = [];
      for (const file of stored) files.push(await add(tx, admin, file));
      return files;
    });
  } catch (error) {
    await abandonMediaFiles(ctx, stored);
    throw error;
  }
}

async function add(tx: Tx, admin: Administrator, stored: StoredMedia): Promise<MediaFile> {
  const id = uuidv7();
  const { name } = stored;
  const content = contentOf(stored);
  await insertMedia(tx, { ...content, id, name, uploaderId: admin.accountId });
  await keepOriginal(tx, stored, { mediaId: id, version: 1 });
  const before = { name: null, type: null, size: null };
  const after = { name, type: content.type, size: content.size };
  await insertAudit(tx, { ...auditedBy(admin), action: 'media.upload', subject: `media:${id}`, before, after });
  return getMedia({ db: tx }, id);
}
