import { listJobsToWake, resetEnqueued } from '@uprez/db/queries/instance/sweeps';
import type { WakeQueue } from '@uprez/queue/open-queue';
import type { Needs } from '../context.ts';
import { wakeWorkers } from './wake-workers.ts';

export type WakeTimes = { freshS: number; staleS: number };

/**
 * Enqueue queued jobs that are missing in Redis: not enqueued for `freshS` seconds, enqueued over `staleS` seconds ago,
 * or all of them after Redis lost its data. Returns how many were enqueued. Throws when Redis is unavailable.
 */
export async function enqueueMissedJobs(
  ctx: Needs<'db' | 'log'> & { queue: Pick<WakeQueue, 'wake' | 'keepsEpoch'> },
  times: WakeTimes,
): Promise<number> {
  if (!(await ctx.queue.keepsEpoch())) await resetEnqueued(ctx.db);
  const jobs = await listJobsToWake(ctx.db, times);
  return (await wakeWorkers(ctx, jobs)) ? jobs.length : 0;
}
