import { type Insertable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { WorkersTable } from '../../tables/job-tables.ts';
import { afterSeconds } from '../../times.ts';
import { isEnginePaused } from './job-settings.ts';
import { isCounted } from './jobs.ts';
import { busySlots, homePool, isDrainedName, isLive, isWorkerDrained } from './pools.ts';

/** How long a worker stays listed after its last heartbeat, in seconds. */
const retentionS = 3_600;

type WorkerHeartbeat = Omit<Insertable<WorkersTable>, 'startedAt' | 'lastSignAt'>;

/** Stores a worker's heartbeat. Creates the worker's pool if it doesn't exist. */
export async function upsertWorker(db: DbOrTx, { id, ...heartbeat }: WorkerHeartbeat): Promise<void> {
  const lastSignAt = sql<Date>`clock_timestamp()`;
  if (heartbeat.pool) await recordPoolHeartbeat(db, { pool: heartbeat.pool, name: heartbeat.name });
  await db
    .insertInto('workers')
    .values({ id, ...heartbeat, lastSignAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...heartbeat, lastSignAt }))
    .execute();
}

/**
 * Stores the time of the last heartbeat in a pool. Ignores heartbeats from drained workers. Writes the row at most once
 * every 4 seconds, regardless of how many workers there are.
 */
const recordPoolHeartbeat = (db: DbOrTx, { pool, name }: { pool: string; name: string }) =>
  sql`
    insert into pools (name, last_sign_at)
    values (${pool}, case when not ${isDrainedName(sql`${name}::text`)} then clock_timestamp() end)
    on conflict (name) do update set last_sign_at = excluded.last_sign_at
    where excluded.last_sign_at > coalesce(pools.last_sign_at + interval '4 seconds', '-infinity')`.execute(db);

export const deleteWorker = (db: DbOrTx, id: string) => db.deleteFrom('workers').where('id', '=', id).execute();

/** Deletes workers that have been silent for too long, because they exited without deleting their row. */
export const deleteSilentWorkers = (db: DbOrTx) =>
  db.deleteFrom('workers').where('lastSignAt', '<', afterSeconds(-retentionS)).execute();

/** Number of live workers by `pool`, including drained workers, and the number of slots that aren't drained. */
const liveWorkers = sql`
  select pool, count(*)::integer as workers, coalesce(sum(slots) filter (where not ${isWorkerDrained}), 0)::integer as slots
  from workers where ${isLive} group by pool`;

/** Counts the slots of live workers by pool, excluding drained workers. The key null stands for shared workers. */
export async function countSlots(db: DbOrTx): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ pool: string | null; slots: number }>`
    select pool, slots from (${liveWorkers}) live`.execute(db);
  return new Map(rows.map(({ pool, slots }) => [pool, slots]));
}

/** Lists all stored workers by name. `deleteSilentWorkers` deletes workers that have been silent for an hour. */
export const listWorkers = (db: DbOrTx) =>
  db
    .selectFrom('workers')
    .selectAll()
    .select([isLive.as('isLive'), isWorkerDrained.as('isDraining'), busySlots.as('busySlots')])
    .orderBy('name')
    .orderBy('startedAt')
    .execute();

/** `pool`: null for shared workers. */
type WorkerLoad = {
  pool: string | null;
  /** Number of live workers, including drained workers. */
  workers: number;
  /** Number of slots of live workers, excluding drained workers. */
  slots: number;
  /** Number of jobs that a worker could start now. */
  waiting: number;
  running: number;
  /**
   * Number of media library images that are waiting for their WebP versions or being processed. Shared workers process
   * them.
   */
  media: number;
  /**
   * How long the oldest job that can start has waited, in seconds, excluding sandbox jobs. Null if no job can start.
   */
  oldestWaitS: number | null;
};

/**
 * Counts the live workers and their work: shared workers first, then each pool. A running job counts toward its
 * worker's pool.
 */
export async function readWorkerLoad(db: DbOrTx): Promise<WorkerLoad[]> {
  const { rows } = await sql<WorkerLoad>`
    with waiting as (
      select ${homePool(sql`users`)} as pool, case when ${isCounted} then greatest(jobs.created_at, jobs.not_before) end as since
      from jobs left join users on users.id = jobs.account_id
      where jobs.status = 'queued' and jobs.not_before <= now() and not ${isEnginePaused}
    ), waits as (
      select pool, count(*)::integer as count, extract(epoch from now() - min(since))::double precision as oldest
      from waiting group by pool
    ), runs as (
      select workers.pool, count(*)::integer as count
      from job_leases left join workers on workers.id = job_leases.worker_id group by workers.pool
    )
    select names.pool, coalesce(live.workers, 0) as workers, coalesce(live.slots, 0) as slots,
      coalesce(waits.count, 0) as waiting, coalesce(runs.count, 0) as running,
      case when names.pool is null then (
        select count(*) from media where state = 'processing' and deleted_at is null
      ) else 0 end::integer as media, waits.oldest as "oldestWaitS"
    from (select null as pool union all select name from pools) names
    left join (${liveWorkers}) live on live.pool is not distinct from names.pool
    left join waits on waits.pool is not distinct from names.pool
    left join runs on runs.pool is not distinct from names.pool
    order by names.pool nulls first`.execute(db);
  return rows;
}
