import { sql } from 'kysely';
import type { Tx } from '../../database.ts';

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
