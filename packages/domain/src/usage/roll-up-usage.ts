import { retention } from '@uprez/contracts/policy/plans';
import { rollUpOldJobs } from '@uprez/db/queries/usage/usage';
import type { Needs } from '../context.ts';

/** Add old jobs to `usage_days` and delete them. Returns how many. Safe to repeat. */
export async function rollUpUsage(ctx: Needs<'db'>): Promise<number> {
  let rolledUp = 0;
  for (let batch = 1; batch > 0; rolledUp += batch)
    batch = await ctx.db.transaction().execute((tx) => rollUpOldJobs(tx, retention.usageRowDays));
  return rolledUp;
}
