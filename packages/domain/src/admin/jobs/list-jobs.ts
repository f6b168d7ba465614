import { AppError } from '@uprez/contracts/errors/app-error';
import { type JobSort, jobSorts } from '@uprez/contracts/policy/admin/tables';
import type { AdminJob, AdminJobDetails } from '@uprez/contracts/schemas/admin/jobs';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { isSuspended } from '@uprez/db/queries/accounts/users';
import {
  type AdminJobFilter,
  type AdminJobRow,
  countAdminJobs,
  findJobDetails,
  listAdminJobs as listRows,
} from '@uprez/db/queries/jobs/admin/list-jobs';
import { findJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { getByUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { defineTable, type TablePage, type TableQuery } from '../../read-table.ts';

/** `SWEEP_S`: time between runs of the task that requeues jobs with expired leases, in seconds. */
export type JobAdminContext = Needs<'db'> & { config: { SWEEP_S: number } };
type AdminJobListFilter = Omit<AdminJobFilter, 'stuckLeaseS'>;

/** A lease that expired two sweeps ago means that the sweep isn't requeuing the job. */
export const withStuckLease = <Filter extends AdminJobListFilter>({ config }: JobAdminContext, filter: Filter) => ({
  ...filter,
  stuckLeaseS: 2 * config.SWEEP_S,
});

const jobs = defineTable({
  name: 'jobs',
  sorts: jobSorts,
  list: listRows,
  count: countAdminJobs,
  present: (rows) => rows.map(presentAdminJob),
});

type AdminJobQuery = AdminJobListFilter & TableQuery<JobSort>;

/** Returns a page of all accounts' jobs. Throws `invalid_parameter`. */
export const listAdminJobs = (ctx: JobAdminContext, query: AdminJobQuery): Promise<TablePage<AdminJob>> =>
  jobs.page(ctx, withStuckLease(ctx, query));

/** Streams the jobs that match a filter, page by page. Throws `export_too_large`. */
export const exportJobs = (ctx: JobAdminContext, query: AdminJobQuery): Promise<AsyncIterable<AdminJob[]>> =>
  jobs.export(ctx, withStuckLease(ctx, query));

function presentAdminJob(row: Omit<AdminJobRow, 'sortValue'>): AdminJob {
  const { id, kind, surface, status, engine, filename, attempt, failures, errorCode, tier, isPaused, isStuck } = row;
  return {
    account: row.accountId === null || row.email === null ? null : presentAccount(row.accountId, row.email, row),
    isPaused: status === 'queued' && isPaused,
    isStuck,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    // The spread comes last, because V8 allocates a hidden class for each object that gets fields after a spread.
    ...{ id, kind, surface, status, engine, filename, attempt, failures, errorCode, tier },
  };
}

type Names = Pick<AdminJobRow, 'firstName' | 'lastName'>;
const presentAccount = (id: string, email: string, { firstName, lastName }: Names) => ({
  id,
  email,
  name: [firstName, lastName].filter(Boolean).join(' ') || null,
});

/**
 * Returns a job with its attempts, receipt, ledger entries, and times. Includes neither the image nor a link to it.
 * Throws `job_not_found`.
 */
export async function getAdminJob(ctx: JobAdminContext, id: string): Promise<AdminJobDetails> {
  const job = await getByUuid(id, () => findJob(ctx.db, id), 'job_not_found');
  const only = { ...withStuckLease(ctx, { search: job.id }), sort: '-created', after: undefined, limit: 1 } as const;
  const [[listed], details, accountSuspended] = await Promise.all([
    listRows(ctx.db, only),
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

/** Removes the thumbhash, because it's a tiny version of the image. */
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
