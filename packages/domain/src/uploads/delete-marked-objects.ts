import { deleteObjectRows, listDeleting, markStaleObjects } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../context.ts';

const batch = 500;

/** Delete the files of objects that are marked for deletion, then their rows. Returns how many. Safe to repeat. */
export async function deleteMarkedObjects(ctx: Needs<'db' | 'storage'>, unfinishedS: number): Promise<number> {
  await markStaleObjects(ctx.db, unfinishedS);
  let deleted = 0;
  for (;;) {
    const rows = await listDeleting(ctx.db, batch);
    if (rows.length === 0) return deleted;
    await ctx.storage.deleteMany(rows.map((row) => row.key));
    await deleteObjectRows(
      ctx.db,
      rows.map((row) => row.id),
    );
    deleted += rows.length;
    if (rows.length < batch) return deleted;
  }
}
