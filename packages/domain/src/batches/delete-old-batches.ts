import { retention } from '@uprez/contracts/policy/plans/plans';
import { deleteEndedBatches } from '@uprez/db/queries/jobs/ended-batches';
import type { Needs } from '../context.ts';

/** Each has up to 100 items. */
const together = 100;

/** Deletes batches that ended long ago, as their jobs, because file names and URLs are personal data. Returns how many. */
export async function deleteOldBatches(ctx: Needs<'db'>): Promise<number> {
  const ageS = retention.usageRowDays * 86_400;
  for (let deleted = 0; ; ) {
    const count = await deleteEndedBatches(ctx.db, { ageS, limit: together });
    deleted += count;
    if (count < together) return deleted;
  }
}
