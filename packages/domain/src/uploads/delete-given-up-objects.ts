import { deleteObjectRows, giveUpStaleObjects, listDeleting } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../context.ts';

const batch = 500;

/** Delete the bytes of objects that are to go, then their rows. Answers how many. Safe to run anywhere, any number of times. */
export async function deleteGivenUpObjects(ctx: Needs<'db' | 'storage'>, unfinishedS: number): Promise<number> {
  await giveUpStaleObjects(ctx.db, unfinishedS);
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
