import { listExpiredLeases } from '@uprez/db/queries/sweeps';
import type { Needs } from '../context.ts';
import { failJob } from './fail-job.ts';

/** Jobs whose worker went silent: each counts as a crashed attempt. Answers how many were dealt with. */
export async function requeueExpiredLeases(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  retryBaseS: number,
): Promise<number> {
  const expired = await listExpiredLeases(ctx.db);
  for (const { id, attempt } of expired) {
    await failJob(ctx, { jobId: id, attempt, code: 'processing_crashed', retryBaseS });
    ctx.log.warn({ jobId: id, attempt }, 'the lease of a job ran out');
  }
  return expired.length;
}
