import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';
import { announceJob } from './announce-job.ts';
import type { Attempt } from './renew-lease.ts';
import { requeueJob } from './requeue-job.ts';
import { wakeWorkers } from './wake-workers.ts';

/**
 * Give a claimed job back through no fault of its own (the worker stops, the storage is away): it counts as no
 * failure. Undefined when it was no longer this attempt's.
 */
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
