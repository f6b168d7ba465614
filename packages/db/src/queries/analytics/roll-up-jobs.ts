import { bucketsPerOctave } from '@uprez/contracts/policy/admin/histogram';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { type DayValue, dayOf, isOn, startOf } from '../../times.ts';
import { wasDelivered } from '../jobs/jobs.ts';
import { meterOfEngine, processingMs } from '../usage/usage.ts';

const jobColumns = sql`(day, surface, meter, engine, tier, from_deleted, completed, failed, cancelled, pixels, run_ms, engine_ms)`;
const timeColumns = sql`(day, engine, measure, bucket, from_deleted, count, lowest_ms, highest_ms)`;
const failureColumns = sql`(day, engine, code, from_deleted, count)`;

/** Replaces a day's aggregated jobs, except those of deleted accounts. */
export async function replaceJobDay(tx: Tx, day: string): Promise<void> {
  for (const table of ['job_days', 'job_time_days', 'failure_days'])
    await sql`delete from ${sql.table(table)} where day = ${day}::date and not from_deleted`.execute(tx);
  const jobCondition = isJobEndedOn(day);
  await sql`
    insert into job_days ${jobColumns}
    select day, surface, meter, engine, tier, from_deleted, sum(completed), sum(failed), sum(cancelled), sum(pixels),
      sum(run_ms), sum(engine_ms)
    from (${selectJobRows(jobCondition, false)} union all ${selectOldJobRows(day)}) as rows
    group by 1, 2, 3, 4, 5, 6`.execute(tx);
  await sql`insert into job_time_days ${timeColumns} ${selectTimeRows(jobCondition, false)}`.execute(tx);
  await sql`insert into failure_days ${failureColumns} ${selectFailureRows(jobCondition, false)}`.execute(tx);
}

/**
 * Replaces a month's histograms with the sum of its days, which must be final. `month`: first day of the month. A
 * bucket has no minimum or maximum for the month if it lacks one on any day.
 */
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
export async function keepDeletedAccountJobs(tx: Tx, accountId: string): Promise<void> {
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

type Rows = RawBuilder<unknown>;
type JobFilter = RawBuilder<boolean>;

/** Returns the condition that a job is for an image and ended on a day. */
export const isJobEndedOn = (day: DayValue): JobFilter =>
  sql`(jobs.kind = 'image' and ${isOn(sql`jobs.finished_at`, day)})`;

const day = dayOf(sql`jobs.finished_at`);
const engine = sql`coalesce(jobs.plan->>'engine', 'unknown')`;
const isFailed = sql`(jobs.error_code is not null and jobs.error_code <> 'cancelled')`;
const pixels = sql`(jobs.plan->'output'->>'width')::bigint * (jobs.plan->'output'->>'height')::bigint`;

/** Plan that a job ran on. For jobs from versions that didn't store the plan, the current plan of the account. */
const tierOfJob = sql`coalesce(jobs.account_tier, users.tier, 'free')`;

/**
 * Selects `job_days` rows of ended jobs. `tiers`: whether to group by plan, which requires a join with the accounts.
 */
export const selectJobRows = (jobs: JobFilter, fromDeleted: boolean, tiers = true): Rows => sql`
  select ${day} as day, jobs.surface, ${meterOfEngine(engine)} as meter,
    ${engine} as engine, ${tiers ? tierOfJob : sql`null`} as tier, ${sql.lit(fromDeleted)} as from_deleted,
    (count(*) filter (where ${wasDelivered}))::int as completed, (count(*) filter (where ${isFailed}))::int as failed,
    (count(*) filter (where jobs.error_code = 'cancelled'))::int as cancelled,
    coalesce(sum(${pixels}) filter (where ${wasDelivered}), 0)::bigint as pixels,
    coalesce(round(sum(${processingMs}) filter (where ${wasDelivered})), 0)::bigint as run_ms,
    coalesce(round(sum(jobs.used_seconds) * 1000), 0)::bigint as engine_ms
  from jobs ${tiers ? sql`left join users on users.id = jobs.account_id` : sql``} where ${jobs} group by 1, 2, 3, 4, 5`;

/**
 * Selects `job_days` rows of a day's jobs that were deleted before days were rolled up. Only `usage_days` still counts
 * them.
 */
const selectOldJobRows = (of: DayValue): Rows => sql`
  select usage_days.day, usage_days.surface, usage_days.meter,
    case usage_days.meter when 'standard' then 'standard' else 'unknown' end as engine, users.tier, false as from_deleted,
    usage_days.completed, usage_days.failed, 0 as cancelled, 0::bigint as pixels, usage_days.processing_ms as run_ms,
    usage_days.processing_ms as engine_ms
  from usage_days join users on users.id = usage_days.account_id where usage_days.day = ${of}::date`;

const waitMs = sql`(extract(epoch from jobs.started_at - jobs.created_at) * 1000)::double precision`;
const bucketOf = (ms: RawBuilder<number>) =>
  sql`floor(${sql.lit(bucketsPerOctave)} * ln(greatest(1.0::double precision, ${ms})) / ln(2.0::double precision))::smallint`;

export type Measure = 'wait' | 'run';

/** Selects `job_time_days` rows of delivered jobs. */
export const selectTimeRows = (jobs: JobFilter, fromDeleted: boolean): Rows => sql`
  select ${day} as day, ${engine} as engine, times.measure, ${bucketOf(sql`times.ms`)} as bucket,
    ${sql.lit(fromDeleted)} as from_deleted, count(*)::int as count, min(times.ms)::real as lowest_ms,
    max(times.ms)::real as highest_ms
  from jobs cross join lateral (values ('wait', ${waitMs}), ('run', ${processingMs})) as times (measure, ms)
  where ${jobs} and ${wasDelivered} and times.ms is not null group by 1, 2, 3, 4`;

/**
 * Selects totals of ended jobs over all engines. `api_completed`: jobs created through the API. All columns are in the
 * index `jobs_finished`.
 */
export const selectJobTotals = (jobs: JobFilter): Rows => sql`
  select (count(*) filter (where ${wasDelivered}))::int as completed,
    (count(*) filter (where ${wasDelivered} and jobs.surface = 'api'))::int as api_completed,
    (count(*) filter (where ${isFailed}))::int as failed,
    coalesce(round(sum(${processingMs}) filter (where ${wasDelivered})), 0)::bigint as run_ms
  from jobs where ${jobs}`;

/**
 * Selects totals of ended jobs by surface and plan. Counts the jobs in the index `jobs_finished` before it reads their
 * accounts.
 */
export const selectPlanJobs = (jobs: JobFilter): Rows => sql`
  select surface, coalesce(counted.account_tier, users.tier, 'free') as tier, sum(completed)::int as completed,
    sum(failed)::int as failed
  from (select jobs.account_id, jobs.surface, jobs.account_tier, count(*) filter (where ${wasDelivered}) as completed,
      count(*) filter (where ${isFailed}) as failed
    from jobs where ${jobs} group by 1, 2, 3) as counted
  left join users on users.id = counted.account_id group by 1, 2`;

/**
 * Selects the histogram of the running times of delivered jobs, over all engines. All columns are in the index
 * `jobs_finished`.
 */
export const selectRunTimes = (jobs: JobFilter): Rows => sql`
  select ${bucketOf(processingMs)} as bucket, count(*)::int as count, min(${processingMs})::real as lowest_ms,
    max(${processingMs})::real as highest_ms
  from jobs where ${jobs} and ${wasDelivered} and jobs.started_at is not null group by 1`;

export const selectFailureRows = (jobs: JobFilter, fromDeleted: boolean): Rows => sql`
  select ${day} as day, ${engine} as engine, jobs.error_code as code, ${sql.lit(fromDeleted)} as from_deleted,
    count(*)::int as count
  from jobs where ${jobs} and ${isFailed} group by 1, 2, 3`;
