import type { Tx } from '@uprez/db/database';
import { listBatchItems, lockBatch, setBatchPaused } from '@uprez/db/queries/jobs/batches';
import { changeJob, findJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { now } from '@uprez/db/times';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { announceJob, wakeWorkers } from '../jobs/wake-workers.ts';
import { getOwnBatch } from './get-batch.ts';

type PauseInput = { actor: Actor; id: string; paused: boolean };

/**
 * Pauses or resumes a batch. A paused batch starts no jobs until it is resumed or expires. This includes jobs for files
 * that arrive during the pause. Jobs in progress continue. Idempotent. Throws `batch_not_found`.
 */
export async function pauseBatch(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  { actor, id, paused }: PauseInput,
): Promise<void> {
  await getOwnBatch(ctx.db, actor, id);
  const changed = await ctx.db.transaction().execute((tx) => pauseJobs(tx, id, paused));
  if (!paused) await wakeWorkers(ctx, changed);
  for (const job of changed) await announceJob(ctx, job);
}

async function pauseJobs(tx: Tx, id: string, paused: boolean): Promise<JobRow[]> {
  const batch = await lockBatch(tx, id);
  if (!batch) return [];
  const { expiresAt } = batch;
  await setBatchPaused(tx, id, paused);
  const jobIds = (await listBatchItems(tx, id)).flatMap(({ jobId }) => jobId ?? []);
  const changes = paused ? { notBefore: expiresAt } : { notBefore: now, enqueuedAt: null };
  const jobs: JobRow[] = [];
  // Pausing sets `notBefore` to the expiration of the batch. A job with any other `notBefore` isn't paused, but may be
  // waiting for a retry.
  const isPaused = ({ notBefore }: JobRow) => notBefore.getTime() === expiresAt.getTime();
  const before = paused ? undefined : await findJobs(tx, jobIds);
  // Locks in ID order, like all code that locks several jobs, to avoid deadlocks.
  for (const jobId of jobIds.toSorted()) {
    const known = before?.get(jobId);
    if (before && !(known && isPaused(known))) continue;
    const job = await changeJob(tx, { id: jobId, status: 'queued' }, changes);
    if (job) jobs.push(job);
  }
  return jobs;
}
