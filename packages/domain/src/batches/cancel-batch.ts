import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Tx } from '@uprez/db/database';
import { changeBatchItems, listBatchItems } from '@uprez/db/queries/jobs/batch-items';
import { type BatchRow, lockBatch, markBatchCancelled } from '@uprez/db/queries/jobs/batches';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { recordBatchChange } from '../events/record-batch-change.ts';
import { announceJob } from '../jobs/announce-job.ts';
import { cancelJob } from '../jobs/delete-job.ts';
import { releaseUnits } from '../usage/close-reservation.ts';
import { releaseReason } from '../usage/ledger-reasons.ts';
import { getOwnBatch } from './get-batch.ts';

/** Cancel the unfinished items of a batch and release their units. Safe to repeat. Throws `batch_not_found`. */
export async function cancelBatch(ctx: Needs<'db' | 'publisher'>, { actor, id }: { actor: Actor; id: string }) {
  const batch = await getOwnBatch(ctx.db, actor, id);
  await ctx.db.transaction().execute((tx) => cancelWaiting(tx, batch));
  // A file that arrived at the same time has its job now. No further file is accepted.
  for (const { jobId } of await listBatchItems(ctx.db, id)) if (jobId) await cancelUntilFinal(ctx, jobId);
}

async function cancelWaiting(tx: Tx, batch: BatchRow): Promise<void> {
  const { id, accountId } = batch;
  await lockBatch(tx, id);
  await markBatchCancelled(tx, id);
  const cancelled = await changeBatchItems(tx, { batchId: id, status: 'waiting' }, { status: 'cancelled' });
  const ids = cancelled.map(({ unitId }) => unitId);
  if (ids.length > 0) await releaseUnits(tx, { accountId: accountId, ids, reason: releaseReason('cancelled') });
  if (ids.length > 0) await recordBatchChange(tx, batch);
}

/** A job may move on between reading and writing: then it is looked at again. */
async function cancelUntilFinal(ctx: Needs<'db' | 'publisher'>, jobId: string): Promise<void> {
  for (;;) {
    const job = await findJob(ctx.db, jobId);
    if (!job || isFinal(job.status)) return;
    const cancelled = await ctx.db.transaction().execute((tx) => cancelJob(tx, job));
    if (cancelled) return announceJob(ctx, cancelled);
  }
}
