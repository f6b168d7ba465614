import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { JobSort, JobSurface, JobTier, JobView, UserJobSort } from '@uprez/contracts/policy/admin/tables';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { containsPattern, hasText, isNotServiceAccount, uuidPattern } from '../../../conditions.ts';
import type { DbOrTx } from '../../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../../keyset.ts';
import { startOf } from '../../../times.ts';
import { isEnginePaused } from '../job-settings.ts';
import { isCounted, type JobListFilter, type JobRow, matchesJobFilter, wasDelivered } from '../jobs.ts';
import { isSlotFree } from '../pools.ts';
import { selectJobs } from '../select-jobs.ts';

/**
 * `from`, `to`: the first and last day (UTC) on which the job finished. `byName`: whether a search matches accounts by
 * name only, not by email address. `stuckLeaseS`: seconds after the end of a job's lease until the job counts as stuck.
 */
export type AdminJobFilter = {
  view?: JobView | undefined;
  status?: JobStatus | undefined;
  engine?: JobEngine | undefined;
  tier?: JobTier | undefined;
  surface?: JobSurface | undefined;
  error?: ErrorCode | undefined;
  from?: string | undefined;
  to?: string | undefined;
  account?: string | undefined;
  search?: string | undefined;
  byName?: boolean | undefined;
  stuckLeaseS: number;
};

/** Time that a job waits although a slot is free before it counts as stuck, in minutes. */
const stuckMinutes = 5;

/** Must equal the predicate of the index `jobs_dead_letters`, or PostgreSQL can't use the index. */
const isDeadLetter = sql<SqlBool>`(jobs.status = 'failed' and jobs.error_code like 'processing\\_%')`;
const isFinishedToday = sql<SqlBool>`jobs.finished_at >= now() - interval '1 day'`;
/** Whether `readQueueTimes` counts the job in `startsPerMinute`. */
const isJustStarted = sql<SqlBool>`(jobs.started_at > now() - interval '1 minute' and jobs.id in (
  select job_id from job_leases union all select id from jobs where finished_at > now() - interval '1 minute'))`;

/**
 * Selects the IDs of stuck jobs: jobs with a lease that expired more than `leaseS` seconds ago, and queued jobs that
 * have waited for `stuckMinutes` although a slot is free. A queued job isn't stuck if a job on the same engine has just
 * started, because slots are briefly free between two jobs.
 */
const selectStuckJobIds = (leaseS: number) => sql<string>`
  select job_id from job_leases where lease_until < now() - make_interval(secs => ${leaseS}::double precision)
  union all
  select id from jobs where status = 'queued' and ${isSlotFree} and not ${isEnginePaused}
    and greatest(created_at, not_before, updated_at) < now() - make_interval(mins => ${sql.lit(stuckMinutes)})
    and plan->>'engine' <> all (array(select jobs.plan->>'engine' from jobs where ${isJustStarted}))`;

const maxMatchedAccounts = 500;

function matchesSearch(search: string, byName: boolean | undefined) {
  if (uuidPattern.test(search)) return sql<SqlBool>`(jobs.id = ${search} or jobs.account_id = ${search})`;
  return sql<SqlBool>`(jobs.filename ilike ${containsPattern(search)} or jobs.account_id = any (array(
    select users.id from users where ${hasText(search, byName)} limit ${sql.lit(maxMatchedAccounts)})))`;
}

const viewConditions: Record<JobView, (stuckLeaseS: number) => RawBuilder<SqlBool>> = {
  stuck: (leaseS) => sql`jobs.id in (${selectStuckJobIds(leaseS)})`,
  dead: () => isDeadLetter,
  dead_today: () => sql`(${isDeadLetter} and ${isFinishedToday})`,
  finished_today: () => isFinishedToday,
  just_started: () => isJustStarted,
  ended: () => sql`(jobs.kind = 'image' and jobs.finished_at is not null)`,
  delivered: () => wasDelivered,
  sandbox: () => sql`jobs.kind = 'sandbox'`,
};

function selectMatchingJobs(
  db: DbOrTx,
  { view, tier, from, to, search, byName, stuckLeaseS, ...filter }: AdminJobFilter,
) {
  const { status, engine, surface, error, account } = filter;
  let query = db
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.accountId')
    .where(isNotServiceAccount(sql`jobs.account_id`));
  if (view !== 'sandbox' && !(search && uuidPattern.test(search))) query = query.where(isCounted);
  if (view) query = query.where(viewConditions[view](stuckLeaseS));
  if (status) query = query.where('jobs.status', '=', status);
  if (engine) query = query.where(sql<SqlBool>`jobs.plan->>'engine' = ${engine}`);
  if (tier === 'visitor') query = query.where('users.id', 'is', null);
  else if (tier) query = query.where(tierOfJob, '=', tier);
  if (surface) query = query.where('jobs.surface', '=', surface);
  if (error) query = query.where('jobs.errorCode', '=', error);
  if (account) query = query.where('jobs.accountId', '=', account);
  if (from) query = query.where('jobs.finishedAt', '>=', startOf(from));
  if (to) query = query.where('jobs.finishedAt', '<', startOf(to, 1));
  if (search) query = query.where(matchesSearch(search, byName));
  return query;
}

/**
 * The plan that a job was created on. Earlier versions didn't store it, so their jobs count under the account's current
 * plan.
 */
const tierOfJob = sql<Tier | null>`coalesce(jobs.account_tier, users.tier)`;

const orders = makeOrders({ created: { column: 'jobs.createdAt', type: 'time' } });

const shownColumns = [
  'jobs.id',
  'jobs.kind',
  'jobs.surface',
  'jobs.status',
  'jobs.filename',
  'jobs.attempt',
  'jobs.failures',
  'jobs.errorCode',
  'jobs.createdAt',
  'jobs.startedAt',
  'jobs.finishedAt',
  'users.id as accountId',
  'users.email',
  'users.firstName',
  'users.lastName',
] as const;
const engineColumn = sql<JobEngine>`jobs.plan->>'engine'`.as('engine');

export type AdminJobRow = Awaited<ReturnType<typeof listAdminJobs>>[number];

export const listAdminJobs = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: AdminJobFilter & Page & { sort: JobSort },
) =>
  readKeysetPage(
    selectMatchingJobs(db, filter)
      .select(shownColumns)
      .select([
        engineColumn,
        tierOfJob.as('tier'),
        isEnginePaused.as('isPaused'),
        sql<boolean>`jobs.id in (${selectStuckJobIds(filter.stuckLeaseS)})`.as('isStuck'),
      ]),
    { order: orders[sort], id: 'jobs.id', after, limit },
  );

export const countAdminJobs = (db: DbOrTx, filter: AdminJobFilter): Promise<number> =>
  countRows(selectMatchingJobs(db, filter));

export const listUserJobs = (
  db: DbOrTx,
  { sort, after, limit, ...choice }: JobListFilter & Page & { sort: UserJobSort },
): Promise<(JobRow & { sortValue: number })[]> => {
  const order = { column: 'jobs.createdAt', type: 'time', direction: sort === 'created' ? 'asc' : 'desc' } as const;
  return readKeysetPage(selectJobs(db).where(matchesJobFilter(choice)), { order, id: 'jobs.id', after, limit });
};

/**
 * Counts an account's image jobs and how many of them failed. Doesn't include old jobs, which `rollUpOldJobs` deletes.
 */
export async function countUserJobs(db: DbOrTx, accountId: string): Promise<{ jobs: number; failedJobs: number }> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().as('jobs'),
      sql<number>`count(*) filter (where jobs.status = 'failed')`.as('failedJobs'),
    ])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'image')
    .executeTakeFirstOrThrow();
}

export async function findJobDetails(db: DbOrTx, { id, retryOf }: Pick<JobRow, 'id' | 'retryOf'>) {
  const [lease, source, ledger, item, retry] = await Promise.all([
    db
      .selectFrom('jobLeases')
      .select(['workerId', 'leaseUntil'])
      .select(sql<boolean>`lease_until < now()`.as('isExpired'))
      .where('jobId', '=', id)
      .executeTakeFirst(),
    db
      .selectFrom('objects')
      .select('expiresAt')
      .where('jobId', '=', id)
      .where('kind', '=', 'source')
      .where('state', '=', 'stored')
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
      .executeTakeFirst(),
    retryOf === null ? listLedgerOfJob(db, id) : listLedgerOfRetry(db, id),
    db.selectFrom('batchItems').select('batchId').where('jobId', '=', id).executeTakeFirst(),
    db.selectFrom('jobs').select('id').where('retryOf', '=', id).executeTakeFirst(),
  ]);
  return { lease, source, ledger, batchId: item?.batchId ?? null, retriedBy: retry?.id ?? null };
}

/** Combines two queries, because `settle` and `release` entries have a partial index of their own. */
const listLedgerOfJob = (db: DbOrTx, jobId: string) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('kind', '=', sql.lit('reserve' as const))
    .unionAll((eb) =>
      eb
        .selectFrom('ledger')
        .selectAll()
        .where('jobId', '=', jobId)
        .where('kind', 'in', [sql.lit('settle' as const), sql.lit('release' as const)]),
    )
    .orderBy('id')
    .execute();

/**
 * Like `listLedgerOfJob`, for a job that is a retry. Includes the ledger entries of the unit that was granted for the
 * retry, because those have no job ID.
 */
const listLedgerOfRetry = (db: DbOrTx, jobId: string) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('allowanceId', '=', (eb) =>
      eb
        .selectFrom('ledger')
        .select('allowanceId')
        .where('jobId', '=', jobId)
        .where('kind', '=', sql.lit('reserve' as const)),
    )
    .where((eb) => eb.or([eb('jobId', '=', jobId), eb('jobId', 'is', null)]))
    .orderBy('id')
    .execute();
