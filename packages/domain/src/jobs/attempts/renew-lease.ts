import { renewJobLease } from '@uprez/db/queries/jobs/job-leases';
import type { Needs } from '../../context.ts';
import { announceJob } from '../announce-job.ts';

/** One attempt at a job. Every write of a worker is fenced by it. */
export type Attempt = { jobId: string; attempt: number };
export type Renewal = Attempt & { leaseS: number; progress?: number };

/** Extend a job's lease and store its progress (0-100). False when the job is no longer in this attempt: stop working. */
export async function renewLease(ctx: Needs<'db' | 'publisher'>, renewal: Renewal): Promise<boolean> {
  const job = await renewJobLease(ctx.db, renewal);
  if (job && renewal.progress !== undefined) await announceJob(ctx, job);
  return job !== undefined;
}
