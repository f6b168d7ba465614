import { expediteSuspendedPurchases } from '@uprez/db/queries/billing/billing-calls';
import { findBatch } from '@uprez/db/queries/jobs/batches';
import { listSuspendedBatches, listSuspendedJobs } from '@uprez/db/queries/jobs/suspended-work';
import { cancelWaiting } from '../batches/cancel-batch.ts';
import type { Needs } from '../context.ts';
import { cancelUntilFinal } from '../jobs/delete-job.ts';

/** Batches and jobs cancelled in one run; the dispatcher repeats it. */
const limit = 500;
const why = 'account_suspended';

/**
 * Cancel the waiting batch items and unfinished jobs of suspended accounts, or of one, and release their units. Their open
 * purchases end, too. Returns how many batches and jobs. Safe to repeat.
 */
export async function cancelSuspended(ctx: Needs<'db' | 'publisher'>, accountId?: string): Promise<number> {
  const batches = await listSuspendedBatches(ctx.db, { accountId, limit });
  for (const id of batches) {
    const batch = await findBatch(ctx.db, id);
    if (batch) await ctx.db.transaction().execute((tx) => cancelWaiting(tx, batch, why));
  }
  // After the batches, because an item that was accepted meanwhile has a job now.
  const jobs = await listSuspendedJobs(ctx.db, { accountId, limit });
  for (const jobId of jobs) await cancelUntilFinal(ctx, { jobId, why });
  await expediteSuspendedPurchases(ctx.db, accountId);
  return batches.length + jobs.length;
}
