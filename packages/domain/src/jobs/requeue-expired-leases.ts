import { listExpiredLeases } from '@uprez/db/queries/instance/sweeps';
import type { Needs } from '../context.ts';
import { failJob } from './fail-job.ts';

/**
 * Jobs whose worker went silent: each counts as a crashed attempt, unless the worker renews at the last moment. Answers
 * how many did.
 */
export async function requeueExpiredLeases(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  retryBaseS: number,
): Promise<number> {
  let lost = 0;
  for (const { id, attempt } of await listExpiredLeases(ctx.db)) {
    const failure = { jobId: id, attempt, code: 'processing_crashed', retryBaseS, leaseExpired: true } as const;
    if (!(await failJob(ctx, failure))) continue;
    ctx.log.warn({ jobId: id, attempt }, 'the lease of a job ran out');
    lost += 1;
  }
  return lost;
}
