import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { lockMedia, type MediaRow } from '@uprez/db/queries/media/media-files';
import { isUuid } from '../actor.ts';
import { type Administrator, lockAdmin } from '../admin/administrator.ts';

export type MediaChange = { admin: Administrator; id: string };

/** Locks a file, also if it is deleted, for a change by an administrator. Throws `media_not_found`. */
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
