import type { Tx } from '@uprez/db/database';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { afterSeconds } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { announceJob } from '../announce-job.ts';
import { wakeWorkers } from '../wake-workers.ts';
import type { Attempt } from './renew-lease.ts';

export type Requeue = Attempt & { failures?: number; delayS: number; leaseExpired?: boolean | undefined };

/** Requeue the job of an attempt and mark its objects for deletion. Undefined when the attempt is no longer current. */
export async function requeueJob(tx: Tx, requeue: Requeue): Promise<JobRow | undefined> {
  const { jobId, attempt, failures, delayS, leaseExpired } = requeue;
  const job = await changeJob(
    tx,
    { id: jobId, status: 'processing', attempt, leaseExpired },
    {
      status: 'queued',
      progress: 0,
      enqueuedAt: null,
      notBefore: afterSeconds(delayS),
      ...(failures === undefined ? {} : { failures }),
    },
  );
  if (job) await markObjectsForDeletion(tx, { jobId, kinds: ['result', 'thumbnail'] });
  return job;
}

/** Return a claimed job to the queue without counting a failure. Undefined when the attempt is no longer current. */
export async function returnJob(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  attempt: Attempt & { delayS: number },
): Promise<JobRow | undefined> {
  const job = await ctx.db.transaction().execute((tx) => requeueJob(tx, attempt));
  if (!job) return undefined;
  await wakeWorkers(ctx, [{ ...job, delayMs: attempt.delayS * 1_000 }]);
  await announceJob(ctx, job);
  return job;
}
