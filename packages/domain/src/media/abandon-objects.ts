import { deleteObjectRows, markUnfinishedForDeletion } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../context.ts';

/**
 * Deletes objects that no file of the library has. One whose transaction was committed although it seemed to fail stays. If
 * this fails, a scheduled task deletes them.
 */
export async function abandonObjects(
  ctx: Needs<'db' | 'storage' | 'log'>,
  objects: readonly { id: string; key: string }[],
): Promise<void> {
  for (const { id, key } of objects) {
    try {
      if (!(await markUnfinishedForDeletion(ctx.db, id))) continue;
      await ctx.storage.deleteMany([key]);
      await deleteObjectRows(ctx.db, [id]);
    } catch (error) {
      ctx.log.warn({ err: error, objectId: id }, 'deleting an abandoned file failed, the sweep will retry');
    }
  }
}
