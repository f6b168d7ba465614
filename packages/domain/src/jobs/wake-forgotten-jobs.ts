import { forgetEnqueued, listJobsToWake } from '@uprez/db/queries/instance/sweeps';
import type { WakeQueue } from '@uprez/queue/open-queue';
import type { Needs } from '../context.ts';
import { wakeWorkers } from './wake-workers.ts';

export type WakeTimes = { freshS: number; staleS: number };

/**
 * Wake workers for queued jobs that Redis does not hold: not enqueued for `freshS`, enqueued over `staleS` ago, or all
 * of them after Redis lost its memory. Answers how many Redis took; throws when it cannot be asked.
 */
export async function wakeForgottenJobs(
  ctx: Needs<'db' | 'log'> & { queue: Pick<WakeQueue, 'wake' | 'keepsEpoch'> },
  times: WakeTimes,
): Promise<number> {
  if (!(await ctx.queue.keepsEpoch())) await forgetEnqueued(ctx.db);
  const jobs = await listJobsToWake(ctx.db, times);
  return (await wakeWorkers(ctx, jobs)) ? jobs.length : 0;
}
