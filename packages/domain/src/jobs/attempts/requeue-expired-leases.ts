import { listExpiredLeases } from '@uprez/db/queries/jobs/job-leases';
import type { Needs } from '../../context.ts';
import { wakeNextPreview } from '../wake-workers.ts';
import { failJob } from './fail-job.ts';

/** Count an expired lease as a crashed attempt, unless its worker renews it meanwhile. Returns how many expired. */
export async function requeueExpiredLeases(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, retryBaseS: number) {
  let lost = 0;
  for (const { id, attempt } of await listExpiredLeases(ctx.db)) {
    const failure = { jobId: id, attempt, code: 'processing_crashed', retryBaseS, leaseExpired: true } as const;
    const job = await failJob(ctx, failure);
    if (!job) continue;
    if (job.accountId === null) await wakeNextPreview(ctx);
    ctx.log.warn({ jobId: id, attempt }, 'job lease expired');
    lost += 1;
  }
  return lost;
}
