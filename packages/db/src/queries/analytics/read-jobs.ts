import { type Bucket, bucketsPerOctave } from '@uprez/contracts/policy/admin/histogram';
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { shiftDay } from '../../times.ts';
import { isJobEndedOn, type Measure, selectRunTimes, selectTimeRows } from './roll-up-jobs.ts';
import {
  type Days,
  dayTotalSource,
  failureSource,
  jobSource,
  type LiveDays,
  planSource,
  selectLiveDays,
  todayOf,
} from './sources.ts';
import { type DaySpan, splitMonths } from './time-spans.ts';

/**
 * Days (UTC). `from` and `to` are inclusive. The days from `previousFrom` until `from` are the previous period.
 * `finalUntil`: the first day that isn't final. `live`: see `Days`.
 */
export type Span = { previousFrom: string; from: string; to: string; finalUntil: string; live: LiveDays };

const daysOf = ({ previousFrom, live }: Span): Days => ({ first: previousFrom, live });
const isCurrent = ({ from }: Span) => sql`day >= ${from}::date`;

/** `apiImages`: the part of `images` that was created through the API. */
export type JobDay = { day: string; images: number; apiImages: number; failed: number; runMs: number };

/** Reads job counts by day. Live days always have a row. Other days have a row only if they have jobs. */
export async function readJobDays(db: DbOrTx, days: Days): Promise<JobDay[]> {
  const { rows } = await sql<JobDay>`
    select day::text, sum(completed)::int as images, sum(api_completed)::int as "apiImages", sum(failed)::int as failed, sum(run_ms)::float8 as "runMs"
    from ${dayTotalSource(days)} as days group by day order by day`.execute(db);
  return rows;
}

export type EngineJobs = { isCurrent: boolean; engine: string; completed: number; failed: number; engineMs: number };

export async function readEngineJobs(db: DbOrTx, span: Span): Promise<EngineJobs[]> {
  const { rows } = await sql<EngineJobs>`
    select ${isCurrent(span)} as "isCurrent", engine, sum(completed)::int as completed, sum(failed)::int as failed,
      sum(engine_ms)::float8 as "engineMs"
    from ${jobSource(daysOf(span))} as days group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

type JobCounts = { surface: 'web' | 'api'; completed: number; failed: number };
export type SurfaceDay = JobCounts & { day: string };
export type PlanJobs = JobCounts & { isCurrent: boolean; tier: string };

export async function readUsageJobs(db: DbOrTx, span: Span): Promise<{ days: SurfaceDay[]; plans: PlanJobs[] }> {
  const { rows } = await sql<SurfaceDay | (PlanJobs & { day: null })>`
    select day::text, is_current as "isCurrent", surface, tier, sum(completed)::int as completed, sum(failed)::int as failed
    from (select *, ${isCurrent(span)} as is_current from ${planSource(daysOf(span))} as all_days) as days
    group by grouping sets ((day, surface), (is_current, surface, tier)) order by day`.execute(db);
  return { days: rows.filter((row) => row.day !== null), plans: rows.filter((row) => row.day === null) };
}

export type TimeBucket = Bucket & { isCurrent: boolean; engine: string; measure: Measure };

/** Reads histograms of waiting and running times by period and engine. */
export async function readTimes(db: DbOrTx, span: Span): Promise<TimeBucket[]> {
  const { rows } = await sql<TimeBucket>`
    select is_current as "isCurrent", engine, measure, sum(count)::int as count, min(lowest_ms) as "lowestMs",
      max(highest_ms) as "highestMs"
    from ${timeSource(span)} as times group by 1, 2, 3, bucket`.execute(db);
  return rows;
}

export type RunTimeBucket = Bucket & { isCurrent: boolean };

/** Reads histograms of running times by period, over all engines. */
export async function readRunTimes(db: DbOrTx, span: Span): Promise<RunTimeBucket[]> {
  const { rows } = await sql<RunTimeBucket>`
    select is_current as "isCurrent", sum(count)::int as count, min(lowest_ms) as "lowestMs", max(highest_ms) as "highestMs"
    from ${runTimeSource(span)} as times group by 1, bucket`.execute(db);
  return rows;
}

export type FailureCount = { code: string; engine: string; count: number; previous: number };

/** Counts failed jobs by error code and engine in the current and the previous period, most frequent first. */
export async function readFailures(db: DbOrTx, span: Span): Promise<FailureCount[]> {
  const { rows } = await sql<FailureCount>`
    select code, engine, coalesce(sum(count) filter (where ${isCurrent(span)}), 0)::int as count,
      coalesce(sum(count) filter (where not ${isCurrent(span)}), 0)::int as previous
    from ${failureSource(daysOf(span))} as days group by 1, 2 order by 3 desc, 4 desc, 1, 2`.execute(db);
  return rows;
}

/*
 * Histograms of times: of whole months where they are final, else of days, and of the live days as they are now. A day has
 * hundreds of rows.
 */

type Rows = RawBuilder<unknown>;

/**
 * Days (UTC) from `previousFrom` to today. `from`: the first day of the current period. `finalUntil`: the first day
 * that isn't final.
 */
type TimeDays = { previousFrom: string; from: string; finalUntil: string; live: LiveDays };

const bucketBoundary = (next: number) =>
  sql`power(2, (bucket + ${sql.lit(next)}) / ${sql.lit(bucketsPerOctave)}::float8)`;
const rangeColumns = sql`min(coalesce(lowest_ms, ${bucketBoundary(0)})) as lowest_ms, max(coalesce(highest_ms, ${bucketBoundary(1)})) as highest_ms`;

const isWithin = (column: string, [from, until]: DaySpan) =>
  sql`${sql.ref(column)} >= ${from}::date and ${sql.ref(column)} < ${until}::date`;

function selectStoredRows(days: DaySpan, isCurrent: boolean, { finalUntil, live }: TimeDays): Rows {
  const columns = sql`${sql.lit(isCurrent)} as is_current, engine, measure, bucket, count, lowest_ms, highest_ms`;
  const split = splitMonths(days, finalUntil);
  return sql.join(
    [
      ...split.months.map((span) => sql`select ${columns} from job_time_months where ${isWithin('month', span)}`),
      ...split.days.map(
        (span) => sql`select ${columns} from job_time_days
          where ${isWithin('day', span)} and (day < ${live[0]}::date or from_deleted)`,
      ),
    ],
    sql` union all `,
  );
}

const selectStoredTimes = (days: TimeDays): Rows => sql`
  ${selectStoredRows([days.previousFrom, days.from], false, days)}
  union all ${selectStoredRows([days.from, shiftDay(todayOf(days.live), 1)], true, days)}`;

/** Sums stored rows first, because there are many. */
const timeSource = (days: TimeDays): Rows => sql`(
  select is_current, engine, measure, bucket, sum(count) as count, ${rangeColumns}
  from (${selectStoredTimes(days)}) as kept group by 1, 2, 3, 4
  union all
  select day >= ${days.from}::date, engine, measure, bucket, count, lowest_ms, highest_ms
  from (${selectLiveDays(days.live, (day) => selectTimeRows(isJobEndedOn(day), false))}) as live)`;

const runTimeSource = (days: TimeDays): Rows => sql`(
  select is_current, bucket, sum(count) as count, ${rangeColumns}
  from (${selectStoredTimes(days)}) as kept where measure = 'run' group by 1, 2
  union all ${selectLiveDays(
    days.live,
    (day) => sql`select ${day}::date >= ${days.from}::date, bucket, count, lowest_ms, highest_ms
      from (${selectRunTimes(isJobEndedOn(day))}) as times`,
  )})`;
