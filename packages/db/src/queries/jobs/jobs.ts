import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import {
  type ExpressionBuilder,
  type InsertObject,
  type Selectable,
  type SqlBool,
  sql,
  type UpdateObject,
} from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { prepareQuery, runPrepared } from '../../prepare-query.ts';
import type { JobKind, JobsTable } from '../../tables/job-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { deleteLease, lockLease } from './job-leases.ts';
import type { ObjectRow } from './objects.ts';
import { jobColumns, jobUpdatedUs, selectJobs, updatedUs } from './select-jobs.ts';

/**
 * While the job is processing, `progress`, `version`, and `updatedUs` include the values of its lease. `updatedUs`:
 * last change, in microseconds since 1970.
 */
export type JobRow = Selectable<JobsTable> & { updatedUs: number };
type NewJobRow = InsertObject<Tables, 'jobs'>;

export const selectTier = (accountId: string) =>
  sql<Tier | null>`(select users.tier from users where id = ${accountId})`;

/** Inserts jobs. Returns the rows in the given order. */
export async function insertJobs(db: DbOrTx, rows: readonly (NewJobRow & { id: string })[]): Promise<JobRow[]> {
  if (rows.length === 0) return [];
  const inserted = await db.insertInto('jobs').values(rows).returningAll().returning(updatedUs).execute();
  const byId = new Map(inserted.map((job) => [job.id, job]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

const selectJob = prepareQuery((db, { id }: { id: string }) => selectJobs(db).where('jobs.id', '=', id));

export async function findJob(db: DbOrTx, id: string): Promise<JobRow | undefined> {
  const [job] = await selectJob(db, { id });
  return job;
}

/** Finds the job that an administrator created to retry a failed job. */
export const findRetryOf = (db: DbOrTx, id: string) => selectJobs(db).where('jobs.retryOf', '=', id).executeTakeFirst();

export async function findJobs(db: DbOrTx, ids: readonly string[]): Promise<Map<string, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await selectJobs(db).where('jobs.id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The status and attempt that a job must have to be changed. `leaseExpired`: whether its lease must have expired. */
type JobExpectation = { id: string; status: JobStatus; attempt?: number; leaseExpired?: boolean | undefined };

/** How long an attempt ran, in seconds, and the virtual time that the account was charged when the attempt started. */
export type EndedAttempt = { seconds: number; charged: number };
/**
 * `ended`: the attempt that the change ended. Call `correctVirtualTime` as the last step of the transaction, to correct
 * the attempt's charge.
 */
export type ChangedJob = JobRow & { ended?: EndedAttempt | undefined };

/** The recipe of a changed job without its mask, which only the engine uses. */
export const recipeWithoutMask = sql<string>`recipe - 'mask'`;

/** Time since the attempt of a row of `jobs` started, in seconds. */
export const attemptSeconds = sql<number>`greatest(0, extract(epoch from now() - jobs.started_at))::double precision`;

/**
 * Changes a job in a single conditional update. Returns undefined if the job doesn't have the expected state. A change
 * from `processing` to another status ends the attempt.
 */
export async function changeJob(
  tx: Tx,
  { id, status, attempt, leaseExpired }: JobExpectation,
  changes: UpdateObject<Tables, 'jobs'>,
): Promise<ChangedJob | undefined> {
  const lease = status === 'processing' ? await lockLease(tx, id) : undefined;
  if (leaseExpired && !lease?.isExpired) return undefined;
  let update = tx
    .updateTable('jobs')
    .set({ ...(lease && { progress: lease.progress, usedSeconds: sql`used_seconds + ${attemptSeconds}` }), ...changes })
    .set((eb) => ({ version: eb('version', '+', 1 + (lease?.changes ?? 0)), updatedAt: sql`clock_timestamp()` }))
    .where('id', '=', id)
    .where('status', '=', status);
  if (attempt !== undefined) update = update.where('attempt', '=', attempt);
  const changed = await runPrepared(
    tx,
    update
      .returning(jobColumns.map((column) => `jobs.${column}` as const))
      .returning(['jobs.progress', 'jobs.version', updatedUs, attemptSeconds.as('seconds')]),
  );
  const [row] = changed;
  if (!row) return undefined;
  const { seconds, ...job } = row;
  if (!lease) return job;
  await deleteLease(tx, id);
  return { ...job, ended: { seconds, charged: lease.charged } };
}

/** Detaches the sources of jobs that are still failed. Returns the IDs of those jobs. */
export async function detachSources(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const detached = await tx
    .updateTable('jobs')
    .set({ sourceId: null, sourceMoved: true })
    .set((eb) => ({ version: eb('version', '+', 1), updatedAt: sql`clock_timestamp()` }))
    .where('id', 'in', ids)
    .where('status', '=', 'failed')
    .returning('id')
    .execute();
  return detached.map(({ id }) => id);
}

/**
 * Records that a wake-up for each job has been enqueued. Doesn't increment the version, because clients can't see this
 * change.
 */
export async function markJobsEnqueued(db: DbOrTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('jobs').set({ enqueuedAt: now }).where('id', 'in', ids).where('status', '=', 'queued').execute();
}

/** `search`: part of the file name, ignoring case. `from`, `until`: range of creation times; `until` is exclusive. */
export type JobListFilter = {
  accountId: string;
  kind: JobKind;
  status?: JobStatus | undefined;
  search?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
};
type JobPage = JobListFilter & { before?: string | undefined; limit: number };

/**
 * Lists an account's jobs of a kind, newest first. Sorts by ID, because IDs increase with time. `before`: ID of the
 * previous page's last job.
 */
export function listJobs(db: DbOrTx, { before, limit, ...choice }: JobPage): Promise<JobRow[]> {
  let query = selectJobs(db).where(matchesJobFilter(choice));
  if (before) query = query.where('jobs.id', '<', before);
  return query.orderBy('jobs.id', 'desc').limit(limit).execute();
}

export async function countJobs(db: DbOrTx, choice: JobListFilter): Promise<number> {
  const counted = db
    .selectFrom('jobs')
    .where(matchesJobFilter(choice))
    .select((eb) => eb.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

export const matchesJobFilter =
  ({ accountId, kind, status, search, from, until }: JobListFilter) =>
  (eb: ExpressionBuilder<Tables, 'jobs'>) =>
    eb.and([
      eb('jobs.accountId', '=', accountId),
      eb('jobs.kind', '=', kind),
      ...(status ? [eb('jobs.status', '=', status)] : []),
      ...(search ? [eb('jobs.filename', 'ilike', containsPattern(search))] : []),
      ...(from ? [eb('jobs.createdAt', '>=', from)] : []),
      ...(until ? [eb('jobs.createdAt', '<', until)] : []),
    ]);

export const changedJobsPageSize = 1_000;

/** `since`: a Unix time in microseconds, or a number of seconds before now. `after`: the previous page's last job. */
type ChangedJobsQuery = {
  accountId: string;
  since: { us: number } | { seconds: number };
  after?: Pick<JobRow, 'id' | 'updatedUs'> | undefined;
};

/**
 * Lists a page of an account's unfinished image jobs and of the image jobs that have changed since a given time, oldest
 * change first.
 */
export function listChangedJobs(db: DbOrTx, { accountId, since: start, after }: ChangedJobsQuery): Promise<JobRow[]> {
  const since =
    'us' in start ? sql<Date>`to_timestamp(${start.us}::double precision / 1000000)` : afterSeconds(-start.seconds);
  return (
    selectJobs(db)
      .where('jobs.kind', '=', 'image')
      // A union uses an index for each part. One condition with `or` would read all jobs of the account.
      .where('jobs.id', 'in', (eb) =>
        eb
          .selectFrom('jobs as queued')
          .select('queued.id')
          .where('queued.accountId', '=', accountId)
          .where('queued.status', '=', sql.lit('queued' as const))
          .union(
            eb
              .selectFrom('jobLeases as lease')
              .innerJoin('jobs as leased', 'leased.id', 'lease.jobId')
              .select('leased.id')
              .where('leased.accountId', '=', accountId),
          )
          .union(
            eb
              .selectFrom('jobs as changed')
              .select('changed.id')
              .where('changed.accountId', '=', accountId)
              .where('changed.updatedAt', '>', since),
          ),
      )
      .$if(after !== undefined, (query) =>
        query.where(
          sql<boolean>`(${jobUpdatedUs}, jobs.id) > (${after?.updatedUs ?? 0}::bigint, ${after?.id ?? ''}::uuid)`,
        ),
      )
      // Ordered by time of change. A client continues after the last change it received, so it would miss an older
      // change that came later.
      .orderBy(jobUpdatedUs)
      .orderBy('jobs.id')
      .limit(changedJobsPageSize)
      .execute()
  );
}

/** Whether a job delivered an image, even if its result no longer exists. Patch previews don't count. */
export const wasDelivered = sql<boolean>`(jobs.kind = 'image' and jobs.error_code is null
  and jobs.status in ('completed', 'expired'))`;

/** Whether a job delivered an image through the given surface in the current calendar month (UTC). */
export const isDeliveredThisMonth = (surface: 'web' | 'api') => sql<boolean>`(${wasDelivered}
  and jobs.surface = ${surface} and jobs.finished_at >= date_trunc('month', now(), 'UTC'))`;

/** Images delivered in a calendar month (UTC), on the web and through the API. */
export type MonthCounts = { imagesThisMonth: number; apiCallsThisMonth: number };

export const countThisMonth = (db: DbOrTx, accountId: string) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(isDeliveredThisMonth('web')).as('imagesThisMonth'),
      fn.countAll<number>().filterWhere(isDeliveredThisMonth('api')).as('apiCallsThisMonth'),
    ])
    .where('accountId', '=', accountId)
    .where('finishedAt', '>=', sql<Date>`date_trunc('month', now(), 'UTC')`)
    .executeTakeFirstOrThrow();

/**
 * Whether administrators see a job in lists, totals, and alerts. Excludes sandbox jobs, because they are users' tests.
 */
export const isCounted = sql<SqlBool>`jobs.kind <> 'sandbox'`;

/** A result or a thumbnail. */
export type JobFile = Pick<ObjectRow, 'id' | 'key' | 'size' | 'sha256'>;

type JobWithFiles = { job: JobRow; result: JobFile | undefined; thumbnail: JobFile | undefined };

const selectJobWithFiles = prepareQuery((db, { id }: { id: string }) =>
  selectJobs(db)
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('objects')
          .select(['objects.id', 'objects.key', 'objects.size', 'objects.sha256'])
          .where('objects.state', '=', 'stored')
          // Two conditions with `or` would scan the index twice.
          .where(sql<boolean>`objects.id = any (array[jobs.result_id, jobs.thumbnail_id])`),
      ).as('files'),
    )
    .where('jobs.id', '=', id),
);

/** Finds a job with its files. Uses a single statement, because clients poll jobs frequently. */
export async function findJobWithFiles(db: DbOrTx, id: string): Promise<JobWithFiles | undefined> {
  const [found] = await selectJobWithFiles(db, { id });
  if (!found) return undefined;
  const { files, ...job } = found;
  const fileOf = (fileId: string | null) => files.find((file) => file.id === fileId);
  return { job, result: fileOf(job.resultId), thumbnail: fileOf(job.thumbnailId) };
}
