import { AppError } from '@uprez/contracts/errors/app-error';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { type MediaRow, supersedeFiles, updateMedia } from '@uprez/db/queries/media/media-files';
import { type Administrator, auditedBy } from '../admin/administrator.ts';
import { showChange } from '../content/store/show-change.ts';
import { getMedia, mediaKindOf } from './list-media.ts';
import { abandonMediaFiles, contentOf, keepOriginal, type MediaContext, type StoredMedia } from './store-file.ts';
import { lockFile, type MediaChange } from './update-media.ts';

type Replacement = MediaChange & { stored: StoredMedia };

/**
 * Replaces the content of a file, which keeps its ID, name, and alternative text. Articles show the new content
 * immediately. Throws `media_not_found`, and `invalid_parameter` for a file of the other kind.
 */
export async function replaceMedia(ctx: MediaContext, { stored, ...change }: Replacement): Promise<MediaFile> {
  const replaced = ctx.db.transaction().execute(async (tx) => {
    const held = await lockFile(tx, change);
    requireKind(mediaKindOf(stored.type), mediaKindOf(held.type));
    await write(tx, { admin: change.admin, held, stored });
    return getMedia({ db: tx }, held.id);
  });
  const file = await replaced.catch(async (error: unknown) => {
    await abandonMediaFiles(ctx, [stored]);
    throw error;
  });
  await showChange(ctx, file.id);
  return file;
}

function requireKind(kind: MediaFile['kind'], present: MediaFile['kind']): void {
  if (kind === present) return;
  const wanted = present === 'image' ? 'an image' : 'a document';
  throw new AppError('invalid_parameter', { param: 'file', detail: `Replace this file with ${wanted}.` });
}

type Writing = { admin: Administrator; held: MediaRow; stored: StoredMedia };

async function write(tx: Tx, { admin, held, stored }: Writing): Promise<void> {
  const version = held.version + 1;
  const content = contentOf(stored);
  await supersedeFiles(tx, held.id);
  const change = held.change + 1;
  await updateMedia(tx, held.id, { ...content, version, change, attempt: 0, failures: 0, leaseUntil: null });
  await keepOriginal(tx, stored, { mediaId: held.id, version });
  const before = { version: held.version, type: held.type, size: held.size };
  const after = { version, type: content.type, size: content.size };
  const about = { action: 'media.replace', subject: `media:${held.id}` };
  await insertAudit(tx, { ...auditedBy(admin), ...about, before, after });
}
