import { changeJob } from '@uprez/db/queries/jobs/jobs';
import { afterSeconds } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { announceJob } from './announce-job.ts';

/** One attempt at a job: what every write of a worker is fenced by. */
export type Attempt = { jobId: string; attempt: number };
export type Renewal = Attempt & { leaseS: number; progress?: number };

/** Hold on to a job, and note its progress (0-100). False: it is no longer ours; stop working on it. */
export async function renewLease(ctx: Needs<'db' | 'publisher'>, renewal: Renewal): Promise<boolean> {
  const { jobId, attempt, leaseS, progress } = renewal;
  const job = await changeJob(
    ctx.db,
    { id: jobId, status: 'processing', attempt },
    { leaseUntil: afterSeconds(leaseS), ...(progress === undefined ? {} : { progress }) },
  );
  if (job && progress !== undefined) await announceJob(ctx, job);
  return job !== undefined;
}
