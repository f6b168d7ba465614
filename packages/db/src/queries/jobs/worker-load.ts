import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { isCounted } from './is-counted.ts';
import { isPaused } from './job-settings.ts';
import { homePool } from './pool-rules.ts';
import { liveWorkers } from './workers.ts';

/** `pool`: null for shared workers. */
export type WorkerLoad = {
  pool: string | null;
  /** Live ones, with drained ones. */
  workers: number;
  /** Of live workers that are not drained. */
  slots: number;
  /** Jobs that a worker could start now. */
  waiting: number;
  /** Jobs in progress. */
  running: number;
  /** Images of the media library without their WebP versions, waiting or in progress. Shared workers make them. */
  media: number;
  /** Seconds that the oldest job waits that could start, without those of the sandbox. Null: none. */
  oldestWaitS: number | null;
};

/** Counts the live workers and their work: of shared ones first, then of each pool. Jobs that run count where their workers are. */
export async function readWorkerLoad(db: DbOrTx): Promise<WorkerLoad[]> {
  const { rows } = await sql<WorkerLoad>`
    with waiting as (
      select ${homePool(sql`users`)} as pool, case when ${isCounted} then greatest(jobs.created_at, jobs.not_before) end as since
      from jobs left join users on users.id = jobs.account_id
      where jobs.status = 'queued' and jobs.not_before <= now() and not ${isPaused}
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
