import { markEnqueued } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';

export type JobToWake = { id: string; attempt: number; delayMs?: number };

/**
 * After commit: put a message for each queued job into Redis and note it. False when Redis is away: the jobs are safe
 * in PostgreSQL and the dispatcher wakes workers for them later.
 */
export async function wakeWorkers(ctx: Needs<'db' | 'queue' | 'log'>, jobs: readonly JobToWake[]): Promise<boolean> {
  if (jobs.length === 0) return true;
  try {
    await ctx.queue.wake(
      jobs.map(({ id, attempt, delayMs }) => ({ jobId: id, nextAttempt: attempt + 1, delayMs: delayMs ?? 0 })),
    );
  } catch (error) {
    ctx.log.warn(
      { reason: String(error), jobs: jobs.length },
      'Redis did not take the wake-up; the dispatcher will repeat it',
    );
    return false;
  }
  await markEnqueued(
    ctx.db,
    jobs.map((job) => job.id),
  ).catch((error: unknown) => ctx.log.warn({ err: error }, 'the wake-up could not be noted and will be repeated'));
  return true;
}
