import { type JobSort, jobSorts } from '@uprez/contracts/policy/admin/tables';
import type { AdminJob } from '@uprez/contracts/schemas/admin/jobs';
import {
  type AdminJobFilter,
  type AdminJobRow,
  countAdminJobs,
  listAdminJobs as listRows,
} from '@uprez/db/queries/jobs/admin/list-jobs';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

/** `SWEEP_S`: seconds between runs of the task that requeues expired leases. */
export type JobAdminContext = Needs<'db'> & { config: { SWEEP_S: number } };
type Filter = Omit<AdminJobFilter, 'stuckLeaseS'>;

/** Adds the threshold for stuck jobs: a lease that expired two sweeps ago should have been ended. */
export const withStuckLease = ({ config }: JobAdminContext, filter: Filter): AdminJobFilter => ({
  ...filter,
  stuckLeaseS: 2 * config.SWEEP_S,
});

function tableOf(ctx: JobAdminContext, given: Filter) {
  const filter = withStuckLease(ctx, given);
  return {
    list: (page: Parameters<typeof listRows>[1] extends infer Page ? Omit<Page, keyof AdminJobFilter> : never) =>
      listRows(ctx.db, { ...filter, ...page }),
    count: () => countAdminJobs(ctx.db, filter),
  };
}

/** Returns a page of the jobs of all accounts. Throws `invalid_parameter`. */
export async function listAdminJobs(
  ctx: JobAdminContext,
  { sort = jobSorts[0], cursor, limit, ...filter }: Filter & TableQuery<JobSort>,
): Promise<TablePage<AdminJob>> {
  const page = await readPage({ list: 'jobs', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentAdminJob) };
}

/** Streams the jobs that match a filter, page by page. Throws `export_too_large`. */
export async function exportJobs(
  ctx: JobAdminContext,
  { sort = jobSorts[0], ...filter }: Filter & { sort?: JobSort | undefined },
): Promise<AsyncIterable<AdminJob[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentAdminJob);
  })();
}

/** Maps a job for the lists of administrators. */
export function presentAdminJob(row: Omit<AdminJobRow, 'sortValue'>): AdminJob {
  const { id, kind, surface, status, engine, filename, attempt, failures, errorCode, tier, isPaused, isStuck } = row;
  return {
    account: row.accountId === null || row.email === null ? null : accountOf(row.accountId, row.email, row),
    isPaused: status === 'queued' && isPaused,
    isStuck,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    // V8 allocates a hidden class for each object that gets fields after a spread.
    ...{ id, kind, surface, status, engine, filename, attempt, failures, errorCode, tier },
  };
}

type Names = Pick<AdminJobRow, 'firstName' | 'lastName'>;
const accountOf = (id: string, email: string, { firstName, lastName }: Names) => ({
  id,
  email,
  name: [firstName, lastName].filter(Boolean).join(' ') || null,
});
