import { expediteSuspendedPurchases } from '@uprez/db/queries/billing/billing-calls';
import { findBatch } from '@uprez/db/queries/jobs/batches';
import { listSuspendedBatches, listSuspendedJobs } from '@uprez/db/queries/jobs/suspended-work';
import { cancelWaiting } from '../batches/cancel-batch.ts';
import type { Needs } from '../context.ts';
import { cancelUntilFinal } from '../jobs/delete-job.ts';

/** Maximum number of batches and of jobs canceled in one run. The dispatcher repeats it. */
const limit = 500;
const why = 'account_suspended';

/**
 * Cancels the waiting batch items and unfinished jobs of suspended accounts, or of one account, and releases their
 * units. Open purchases end, too. Returns the number of batches and jobs. Safe to repeat.
 */
export async function cancelSuspended(ctx: Needs<'db' | 'publisher'>, accountId?: string): Promise<number> {
  const batches = await listSuspendedBatches(ctx.db, { accountId, limit });
  for (const id of batches) {
    const batch = await findBatch(ctx.db, id);
    if (batch) await ctx.db.transaction().execute((tx) => cancelWaiting(tx, batch, why));
  }
  // After the batches, because an item that was accepted in the meantime has become a job.
  const jobs = await listSuspendedJobs(ctx.db, { accountId, limit });
  for (const jobId of jobs) await cancelUntilFinal(ctx, { jobId, why });
  await expediteSuspendedPurchases(ctx.db, accountId);
  return batches.length + jobs.length;
}
