import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { today } from '../../times.ts';
import { wasDelivered } from '../jobs/jobs.ts';
import { processingMs } from './dashboard.ts';

export type UsageRow = {
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  completed: number;
  failed: number;
  ms: number;
};
export type Days = { accountId: string; from: string; to: string };

/** Images by day (UTC), surface, and meter, from jobs and from rolled-up days. Canceled jobs don't count. */
export async function listUsage(db: DbOrTx, { accountId, from, to }: Days): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select day::text, surface, meter, sum(completed)::int as completed, sum(failed)::int as failed,
      sum(ms)::double precision as ms
    from (
      select (jobs.finished_at at time zone 'utc')::date as day, jobs.surface,
        case when jobs.plan->>'engine' = 'standard' then 'standard' else 'ai' end as meter,
        count(*) filter (where ${wasDelivered}) as completed,
        count(*) filter (where jobs.error_code <> 'cancelled') as failed,
        coalesce(sum(${processingMs}) filter (where ${wasDelivered}), 0) as ms
      from jobs
      where jobs.account_id = ${accountId} and jobs.kind = 'image'
        and jobs.finished_at >= ${from}::date::timestamp at time zone 'utc'
        and jobs.finished_at < (${to}::date + 1)::timestamp at time zone 'utc'
      group by 1, 2, 3
      union all
      select day, surface, meter, completed, failed, processing_ms from usage_days
      where account_id = ${accountId} and day between ${from}::date and ${to}::date
    ) as parts
    group by 1, 2, 3`.execute(db);
  return rows;
}

/** Today (UTC) by the database's clock. */
export async function findDay(db: DbOrTx): Promise<string> {
  const { rows } = await sql<{ day: string }>`select ${today}::text as day`.execute(db);
  return rows[0]?.day ?? '';
}

const batchRows = 500;

/** Add a batch of jobs that ended over `days` ago to `usage_days` and delete them; returns how many. */
export async function rollUpOldJobs(tx: Tx, days: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with old as materialized (
      select id from jobs
      where status in ('expired', 'failed', 'cancelled') and kind = 'image'
        and finished_at < now() - make_interval(days => ${days})
        and not exists (select from objects where objects.job_id = jobs.id)
      order by finished_at limit ${batchRows} for update skip locked
    ), gone as (
      delete from jobs using old where jobs.id = old.id
      returning jobs.account_id, jobs.surface, jobs.plan->>'engine' as engine, jobs.error_code, jobs.started_at, jobs.finished_at
    ), folded as (
      insert into usage_days (account_id, day, surface, meter, completed, failed, processing_ms)
      select account_id, (finished_at at time zone 'utc')::date, surface,
        case when engine = 'standard' then 'standard' else 'ai' end,
        count(*) filter (where error_code is null),
        count(*) filter (where error_code <> 'cancelled'),
        coalesce(round(sum(extract(epoch from finished_at - started_at) * 1000) filter (where error_code is null)), 0)
      from gone where account_id is not null
      group by 1, 2, 3, 4
      having count(*) filter (where error_code is distinct from 'cancelled') > 0
      on conflict (account_id, day, surface, meter) do update set
        completed = usage_days.completed + excluded.completed,
        failed = usage_days.failed + excluded.failed,
        processing_ms = usage_days.processing_ms + excluded.processing_ms
    )
    select count(*) as folded from gone`.execute(tx);
  return rows[0]?.folded ?? 0;
}
