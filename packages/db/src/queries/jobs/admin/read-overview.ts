import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { sql } from 'kysely';
import { isNotServiceAccount } from '../../../conditions.ts';
import type { DbOrTx } from '../../../database.ts';
import { isEnginePaused } from '../job-settings.ts';
import { isCounted } from '../jobs.ts';

/** `tier`: null for visitors. */
export type JobCount = { status: JobStatus; engine: JobEngine; tier: Tier | null; count: number };

/**
 * Counts unfinished jobs and jobs that finished in the last 24 hours, by status, engine, and plan. Leaves out sandbox
 * jobs and the jobs of probes.
 */
export async function countJobsByEngine(db: DbOrTx): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    with counted as (
      select status, plan, account_id, account_tier from jobs where status = 'queued' and ${isCounted}
      union all
      select jobs.status, plan, account_id, account_tier from job_leases join jobs on jobs.id = job_leases.job_id where ${isCounted}
      union all
      select status, plan, account_id, account_tier from jobs where finished_at >= now() - interval '1 day' and ${isCounted}
    )
    select status, counted.plan->>'engine' as engine, coalesce(counted.account_tier, users.tier) as tier, count(*)::integer as count
    from counted left join users on users.id = counted.account_id
    where ${isNotServiceAccount(sql`counted.account_id`)}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

export type QueueTimes = {
  /** How long the oldest job that can start has waited, in seconds. Null if no job can start. */
  oldestWaitS: number | null;
  /** Attempts started in the last minute by jobs that are running or have finished. */
  startsPerMinute: number;
};

export async function readQueueTimes(db: DbOrTx): Promise<QueueTimes> {
  const { rows } = await sql<QueueTimes>`
    select (
      select extract(epoch from now() - min(greatest(created_at, not_before)))::double precision from jobs
      where status = 'queued' and not_before <= now() and not ${isEnginePaused} and ${isCounted}
    ) as "oldestWaitS", (
      select count(*) from job_leases join jobs on jobs.id = job_leases.job_id
      where jobs.started_at > now() - interval '1 minute' and ${isCounted}
    )::integer + (
      select count(*) from jobs
      where finished_at > now() - interval '1 minute' and started_at > now() - interval '1 minute' and ${isCounted}
    )::integer as "startsPerMinute"`.execute(db);
  return rows[0] ?? { oldestWaitS: null, startsPerMinute: 0 };
}
