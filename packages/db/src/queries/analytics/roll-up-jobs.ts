import { sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { startOf } from '../../days.ts';
import { endedOn, selectFailureRows, selectJobRows, selectOldJobRows, selectTimeRows } from './job-rows.ts';

const jobColumns = sql`(day, surface, meter, engine, tier, from_deleted, completed, failed, cancelled, pixels, run_ms, engine_ms)`;
const timeColumns = sql`(day, engine, measure, bucket, from_deleted, count, lowest_ms, highest_ms)`;
const failureColumns = sql`(day, engine, code, from_deleted, count)`;

/** Replaces what a day keeps of the jobs that exist. */
export async function replaceJobDay(tx: Tx, day: string): Promise<void> {
  for (const table of ['job_days', 'job_time_days', 'failure_days'])
    await sql`delete from ${sql.table(table)} where day = ${day}::date and not from_deleted`.execute(tx);
  const jobs = endedOn(day);
  await sql`
    insert into job_days ${jobColumns}
    select day, surface, meter, engine, tier, from_deleted, sum(completed), sum(failed), sum(cancelled), sum(pixels),
      sum(run_ms), sum(engine_ms)
    from (${selectJobRows(jobs, false)} union all ${selectOldJobRows(day)}) as rows
    group by 1, 2, 3, 4, 5, 6`.execute(tx);
  await sql`insert into job_time_days ${timeColumns} ${selectTimeRows(jobs, false)}`.execute(tx);
  await sql`insert into failure_days ${failureColumns} ${selectFailureRows(jobs, false)}`.execute(tx);
}

/** Replaces the histograms of a month (its first day) by those of its days, which are final. A bucket whose limits hold on one day has none. */
export async function replaceTimeMonth(tx: Tx, month: string): Promise<void> {
  await sql`delete from job_time_months where month = ${month}::date`.execute(tx);
  await sql`
    insert into job_time_months (month, engine, measure, bucket, count, lowest_ms, highest_ms)
    select ${month}::date, engine, measure, bucket, sum(count),
      case when bool_and(lowest_ms is not null) then min(lowest_ms) end,
      case when bool_and(highest_ms is not null) then max(highest_ms) end
    from job_time_days
    where day >= ${month}::date and day < (${month}::date + interval '1 month')::date
    group by engine, measure, bucket`.execute(tx);
}

/** Adds the jobs of an account that is about to be deleted to the days that aren't final. */
export async function keepJobsOfDeleted(tx: Tx, accountId: string): Promise<void> {
  const isOpen = sql`jobs.finished_at >= coalesce(
    (select ${startOf(sql`frozen_until`)} from analytics_state), '-infinity')`;
  const jobs = sql<boolean>`(jobs.account_id = ${accountId} and jobs.kind = 'image' and ${isOpen})`;
  await sql`
    insert into job_days as kept ${jobColumns} ${selectJobRows(jobs, true)}
    on conflict (day, surface, meter, engine, tier, from_deleted) do update set
      completed = kept.completed + excluded.completed, failed = kept.failed + excluded.failed,
      cancelled = kept.cancelled + excluded.cancelled, pixels = kept.pixels + excluded.pixels,
      run_ms = kept.run_ms + excluded.run_ms, engine_ms = kept.engine_ms + excluded.engine_ms`.execute(tx);
  await sql`
    insert into job_time_days as kept ${timeColumns} ${selectTimeRows(jobs, true)}
    on conflict (day, engine, measure, bucket, from_deleted) do update set count = kept.count + excluded.count,
      lowest_ms = least(kept.lowest_ms, excluded.lowest_ms),
      highest_ms = greatest(kept.highest_ms, excluded.highest_ms)`.execute(tx);
  await sql`
    insert into failure_days as kept ${failureColumns} ${selectFailureRows(jobs, true)}
    on conflict (day, engine, code, from_deleted) do update set count = kept.count + excluded.count`.execute(tx);
}
