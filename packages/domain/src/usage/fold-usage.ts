import { retention } from '@uprez/contracts/policy/plans';
import { foldOldJobs } from '@uprez/db/queries/usage/usage-days';
import type { Needs } from '../context.ts';

/**
 * Fold jobs whose rows are too old to keep into usage a day, and delete them: both or neither of each batch, so that a
 * crash loses and doubles nothing. Their ledger rows stay. Answers how many jobs. Safe to repeat and to run anywhere.
 */
export async function foldUsage(ctx: Needs<'db'>): Promise<number> {
  let folded = 0;
  for (let batch = 1; batch > 0; folded += batch)
    batch = await ctx.db.transaction().execute((tx) => foldOldJobs(tx, retention.usageRowDays));
  return folded;
}
