import { deleteObjectRows, markUploadForDeletion } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../context.ts';

/**
 * Remove an upload that becomes no job. One that did become a job, although its commit was not heard of, stays.
 * Whatever cannot be removed now, the sweep removes later.
 */
export async function abandonUpload(
  ctx: Needs<'db' | 'storage' | 'log'>,
  upload: { id: string; key: string },
): Promise<void> {
  try {
    if (!(await markUploadForDeletion(ctx.db, upload.id))) return;
    await ctx.storage.deleteMany([upload.key]);
    await deleteObjectRows(ctx.db, [upload.id]);
  } catch (error) {
    ctx.log.warn({ err: error, objectId: upload.id }, 'deleting an abandoned upload failed, the sweep will retry');
  }
}
