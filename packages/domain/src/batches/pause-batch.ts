import { listBatchItems } from '@uprez/db/queries/jobs/batches';
import { changeJob, findJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { now } from '@uprez/db/times';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { announceJob, wakeWorkers } from '../jobs/wake-workers.ts';
import { getOwnBatch } from './get-batch.ts';

type Pausing = { actor: Actor; id: string; paused: boolean };

/**
 * Pauses or resumes the queued jobs of a batch. Paused ones start when the batch is resumed, or when it expires. Jobs in progress
 * continue. Safe to repeat. Throws `batch_not_found`.
 */
export async function pauseBatch(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  { actor, id, paused }: Pausing,
): Promise<void> {
  const { expiresAt } = await getOwnBatch(ctx.db, actor, id);
  const changes = paused ? { notBefore: expiresAt } : { notBefore: now, enqueuedAt: null };
  const jobIds = (await listBatchItems(ctx.db, id)).flatMap(({ jobId }) => jobId ?? []);
  // In the order of their IDs, as everybody does who locks several jobs.
  const changed = await ctx.db.transaction().execute(async (tx) => {
    const jobs: JobRow[] = [];
    // Other jobs wait before another attempt.
    const isPaused = ({ notBefore }: JobRow) => notBefore.getTime() === expiresAt.getTime();
    const before = paused ? undefined : await findJobs(tx, jobIds);
    for (const jobId of jobIds.toSorted()) {
      const known = before?.get(jobId);
      if (before && !(known && isPaused(known))) continue;
      const job = await changeJob(tx, { id: jobId, status: 'queued' }, changes);
      if (job) jobs.push(job);
    }
    return jobs;
  });
  if (!paused) await wakeWorkers(ctx, changed);
  for (const job of changed) await announceJob(ctx, job);
}
