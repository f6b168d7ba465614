import { deleteObjectRows, giveUpObject } from '@uprez/db/queries/objects';
import type { Needs } from '../context.ts';

/** Remove an upload that becomes no job. Whatever cannot be removed now, the sweep removes later. */
export async function abandonUpload(
  ctx: Needs<'db' | 'storage' | 'log'>,
  upload: { id: string; key: string },
): Promise<void> {
  try {
    await giveUpObject(ctx.db, upload.id);
    await ctx.storage.deleteMany([upload.key]);
    await deleteObjectRows(ctx.db, [upload.id]);
  } catch (error) {
    ctx.log.warn({ err: error, objectId: upload.id }, 'an abandoned upload is left to the sweep');
  }
}
