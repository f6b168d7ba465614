import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminJobDetails } from '@uprez/contracts/schemas/admin/jobs';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { isSuspended } from '@uprez/db/queries/accounts/users';
import { findJobDetails } from '@uprez/db/queries/jobs/admin/find-job-details';
import { listAdminJobs } from '@uprez/db/queries/jobs/admin/list-jobs';
import { findJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { isUuid } from '../../actor.ts';
import { type JobAdminContext, presentAdminJob, withStuckLease } from './list-jobs.ts';

/**
 * Returns a job with its attempts, receipt, ledger entries, and times, but neither its image nor a link to it. Throws
 * `job_not_found`.
 */
export async function getAdminJob(ctx: JobAdminContext, id: string): Promise<AdminJobDetails> {
  const job = isUuid(id) ? await findJob(ctx.db, id) : undefined;
  if (!job) throw new AppError('job_not_found');
  const only = { ...withStuckLease(ctx, { search: job.id }), sort: '-created', after: undefined, limit: 1 } as const;
  const [[listed], details, accountSuspended] = await Promise.all([
    listAdminJobs(ctx.db, only),
    findJobDetails(ctx.db, job),
    job.accountId !== null && isSuspended(ctx.db, job.accountId),
  ]);
  if (!listed) throw new AppError('job_not_found');
  return { ...presentAdminJob(listed), ...describe(job), ...presentDetails(details), accountSuspended };
}

function describe({ plan, receipt, ...job }: JobRow) {
  return {
    retryOf: job.retryOf,
    sourceMoved: job.sourceMoved,
    failureCause: job.failureCause,
    errorDetail: job.errorDetail,
    progress: job.progress,
    notBefore: job.notBefore.toISOString(),
    estimatedSeconds: job.estimatedSeconds ?? plan.estimate.seconds,
    usedSeconds: job.usedSeconds,
    source: { ...sizeOf(plan.source), format: plan.source.format, fileSize: job.sourceBytes },
    output: { ...sizeOf(plan.output), format: plan.output.format },
    receipt: receipt && withoutThumbhash(receipt),
  };
}

/** Removes the thumbhash, which is a small version of the image. */
const withoutThumbhash = ({ thumbhash: _, ...facts }: Receipt) => facts;

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

function presentDetails({ lease, source, ledger, ...links }: Awaited<ReturnType<typeof findJobDetails>>) {
  return {
    ...links,
    lease: lease
      ? { workerId: lease.workerId, until: lease.leaseUntil.toISOString(), isExpired: lease.isExpired }
      : null,
    storedSource: source ? { expiresAt: source.expiresAt?.toISOString() ?? null } : null,
    ledger: ledger.map(({ id, kind, meter, units, reason, jobId, createdAt }) => ({
      ...{ id, kind, meter, units, reason, jobId },
      createdAt: createdAt.toISOString(),
    })),
  };
}
