import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { afterSeconds, now } from '../../times.ts';
import { isEnginePaused } from './job-settings.ts';
import { homePool, poolsToWake } from './pools.ts';
import { jobSeconds, readSharedTime, readVirtualTimes } from './virtual-times.ts';

/**
 * A queued job. `accountId` and `tier`: null for visitors. `pool`: the pool that the job waits for; null for shared
 * workers. `virtualTime`: the account's virtual time, converted to the clock of shared workers. `seconds`: estimated
 * duration.
 */
export type QueuedJob = {
  id: string;
  accountId: string | null;
  tier: Tier | null;
  planVersion: number | null;
  pool: string | null;
  virtualTime: number;
  seconds: number;
};
/** `systemTime`: the system's virtual time on the clock of shared workers. */
export type Queue = { systemTime: number; jobs: QueuedJob[] };

/** Counts queued jobs per plan; `visitor` is for previews without an account. */
export async function countQueuedJobs(db: DbOrTx): Promise<{ plan: Tier | 'visitor'; count: number }[]> {
  return db
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.accountId')
    .select(({ fn, val }) => [
      fn.coalesce('users.tier', val('visitor' as const)).as('plan'),
      fn.countAll<number>().as('count'),
    ])
    .where('jobs.status', '=', 'queued')
    .groupBy('users.tier')
    .execute();
}

/** Returns a list with the next visitor preview to start. The list is empty if no preview is waiting. */
export const listNextPreviews = (db: DbOrTx): Promise<{ id: string; attempt: number }[]> =>
  db
    .selectFrom('jobs')
    .select(['id', 'attempt'])
    .where('kind', '=', 'preview')
    .where('status', '=', 'queued')
    .where('accountId', 'is', null)
    .where('notBefore', '<=', now)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .execute();

/** Reads the `limit` oldest queued jobs, oldest first. Excludes delayed jobs and jobs of paused engines. */
export async function readQueue(db: DbOrTx, limit: number): Promise<Queue> {
  const { system, visitors } = await readVirtualTimes(db);
  const { rows } = await sql<QueuedJob>`
    select jobs.id, jobs.account_id as "accountId", users.tier, users.plan_version as "planVersion",
      home.pool, coalesce(${readSharedTime(sql`home.pool`)}, ${visitors}) as "virtualTime",
      ${jobSeconds} as seconds
    from jobs left join users on users.id = jobs.account_id
    cross join lateral (select ${homePool(sql`users`)} as pool) home
    where jobs.status = 'queued' and jobs.not_before <= now() and not ${isEnginePaused} order by jobs.created_at, jobs.id limit ${limit}`.execute(
    db,
  );
  return { systemTime: system, jobs: rows };
}

/**
 * Number of running jobs of a pool's accounts, and their total estimated remaining time in seconds. `pool`: null for
 * shared workers.
 */
export type RunningJobs = { pool: string | null; jobs: number; seconds: number };

export async function readRunningJobs(db: DbOrTx): Promise<RunningJobs[]> {
  const { rows } = await sql<RunningJobs>`
    select home.pool, count(*)::int as jobs,
      sum(${jobSeconds} * (1 - coalesce(job_leases.progress, 0) / 100.0))::double precision as seconds
    from jobs left join users on users.id = jobs.account_id left join job_leases on job_leases.job_id = jobs.id
    cross join lateral (select ${homePool(sql`users`)} as pool) home
    where jobs.status = 'processing' group by 1`.execute(db);
  return rows;
}

/** Days for which a finished sandbox job can be retrieved. */
const sandboxRetentionDays = 1;

/**
 * Deletes up to 500 rows of previews and sandbox jobs that have ended and have no files left. Returns the number of
 * deleted rows.
 */
export async function deletePreviewRows(db: DbOrTx): Promise<number> {
  const { rows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where kind in ('preview', 'sandbox') and status in ('expired', 'failed', 'cancelled')
        and (kind = 'preview' or finished_at < now() - make_interval(days => ${sandboxRetentionDays}))
        and not exists (select from objects where objects.job_id = jobs.id)
      limit 500
    ) returning id`.execute(db);
  return rows.length;
}

/**
 * Lists queued jobs that Redis may have lost: jobs that weren't enqueued within `freshS` seconds of their last change,
 * and jobs that were enqueued more than `staleS` seconds ago. Excludes jobs of paused engines.
 */
export const listJobsToWake = (db: DbOrTx, times: { freshS: number; staleS: number }) =>
  db
    .selectFrom('jobs')
    .select([
      'id',
      'attempt',
      sql<number>`greatest(0, extract(epoch from not_before - now()) * 1000)::double precision`.as('delayMs'),
    ])
    .where('status', '=', 'queued')
    .where(sql<boolean>`not ${isEnginePaused}`)
    .where((eb) =>
      eb.or([
        eb.and([eb('enqueuedAt', 'is', null), eb('updatedAt', '<=', afterSeconds(-times.freshS))]),
        eb('enqueuedAt', '<=', afterSeconds(-times.staleS)),
      ]),
    )
    .orderBy('createdAt')
    .limit(500)
    .execute();

const selectPoolsToWake = prepareQuery(
  (_db, { ids }: { ids: readonly string[] }) => sql<{ id: string; pool: string | null }>`
    select jobs.id, target.pool from jobs left join users on users.id = jobs.account_id
    cross join lateral ${poolsToWake(sql`users`)} target where jobs.id = any(${ids}::uuid[])`,
);

/** Lists the pools that have workers to wake for each of these jobs. Null stands for shared workers. */
export const listPoolsToWake = (db: DbOrTx, ids: readonly string[]) => selectPoolsToWake(db, { ids });

/** Marks all enqueued jobs as overdue, so that they are enqueued again. Called after Redis loses its data. */
export const resetEnqueuedTimes = (db: DbOrTx) =>
  db
    .updateTable('jobs')
    .set({ enqueuedAt: sql`to_timestamp(0)` })
    .where('status', '=', 'queued')
    .where('enqueuedAt', 'is not', null)
    .execute();

/**
 * How long an expired result is kept for a pending delivery, in seconds. Exceeds the time that all attempts of a
 * delivery take. The limit matters for suspended accounts, because their deliveries are on hold.
 */
const deliveryGraceS = 3 * 3_600;

/**
 * Lists jobs whose results are due for deletion. A result with a pending delivery to a URL is kept for up to
 * `deliveryGraceS` more seconds.
 */
export const listExpiredJobs = (db: DbOrTx) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'completed')
    .where('expiresAt', '<=', now)
    .where(({ or, not, exists, eb, selectFrom }) =>
      or([
        eb('expiresAt', '<=', afterSeconds(-deliveryGraceS)),
        not(
          exists(
            selectFrom('batchItems')
              .innerJoin('resultDeliveries as delivery', 'delivery.itemId', 'batchItems.id')
              .select('batchItems.id')
              .whereRef('batchItems.jobId', '=', 'jobs.id')
              .where('delivery.status', '=', 'pending')
              .where('delivery.target', 'is not', null),
          ),
        ),
      ]),
    )
    .orderBy('expiresAt')
    .limit(500)
    .execute();
