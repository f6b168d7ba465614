import { findUser } from '@uprez/db/queries/accounts/users';
import { chargeVirtualTime, pickClaimableJob } from '@uprez/db/queries/jobs/claims';
import { insertLease } from '@uprez/db/queries/jobs/job-leases';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { findObject, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { announceJob } from '../announce-job.ts';

/** `source` is undefined only when its row was deleted manually. */
export type Claim = { job: JobRow; source: ObjectRow | undefined };
export type Claimer = { workerId: string; leaseS: number };

/** Claim the next job: it becomes `processing` under a lease. Undefined when nothing is claimable. */
export async function claimNextJob(ctx: Needs<'db' | 'publisher'>, claimer: Claimer): Promise<Claim | undefined> {
  const claim = await ctx.db.transaction().execute(async (tx) => {
    const picked = await pickClaimableJob(tx);
    if (!picked) return undefined;
    if (picked.attempt === 0) {
      const user = picked.accountId ? await findUser(tx, picked.accountId) : undefined;
      await chargeVirtualTime(tx, picked, user?.tier ?? 'free');
    }
    const job = await changeJob(
      tx,
      { id: picked.id, status: 'queued' },
      {
        status: 'processing',
        attempt: picked.attempt + 1,
        startedAt: now,
        progress: 0,
      },
    );
    if (!job) throw new Error(`The job ${picked.id} was locked and yet changed.`);
    await insertLease(tx, { jobId: job.id, attempt: job.attempt, ...claimer });
    return { job, source: job.sourceId ? await findObject(tx, job.sourceId) : undefined };
  });
  if (claim) await announceJob(ctx, claim.job);
  return claim;
}
