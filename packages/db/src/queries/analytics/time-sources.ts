import { bucketsPerOctave } from '@uprez/contracts/policy/histogram';
import { type RawBuilder, sql } from 'kysely';
import { shiftDay } from '../../calendar.ts';
import { endedOn, selectRunTimes, selectTimeRows } from './job-rows.ts';
import { type LiveDays, selectLive, todayOf } from './sources.ts';
import { type DaySpan, splitMonths } from './time-spans.ts';

/*
 * Histograms of times: of whole months where they are final, else of days, and of the live days as they are now. A day has
 * hundreds of rows.
 */

type Rows = RawBuilder<unknown>;

/** `previousFrom` to today. `from` is the first day of the current period, `finalUntil` the first that isn't final. */
export type TimeDays = { previousFrom: string; from: string; finalUntil: string; live: LiveDays };

const limitOf = (next: number) => sql`power(2, (bucket + ${sql.lit(next)}) / ${sql.lit(bucketsPerOctave)}::float8)`;
const range = sql`min(coalesce(lowest_ms, ${limitOf(0)})) as lowest_ms, max(coalesce(highest_ms, ${limitOf(1)})) as highest_ms`;

const isWithin = (column: string, [from, until]: DaySpan) =>
  sql`${sql.ref(column)} >= ${from}::date and ${sql.ref(column)} < ${until}::date`;

/** The kept rows of a period. */
function selectKept(days: DaySpan, isCurrent: boolean, { finalUntil, live }: TimeDays): Rows {
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

const keptTimes = (days: TimeDays): Rows => sql`
  ${selectKept([days.previousFrom, days.from], false, days)}
  union all ${selectKept([days.from, shiftDay(todayOf(days.live), 1)], true, days)}`;

/** Histograms by period, engine, and measure. Kept rows are added up first, because there are many. */
export const timeSource = (days: TimeDays): Rows => sql`(
  select is_current, engine, measure, bucket, sum(count) as count, ${range}
  from (${keptTimes(days)}) as kept group by 1, 2, 3, 4
  union all
  select day >= ${days.from}::date, engine, measure, bucket, count, lowest_ms, highest_ms
  from (${selectLive(days.live, (day) => selectTimeRows(endedOn(day), false))}) as live)`;

/** Histograms of running times by period, over all engines. */
export const runTimeSource = (days: TimeDays): Rows => sql`(
  select is_current, bucket, sum(count) as count, ${range}
  from (${keptTimes(days)}) as kept where measure = 'run' group by 1, 2
  union all ${selectLive(
    days.live,
    (day) => sql`select ${day}::date >= ${days.from}::date, bucket, count, lowest_ms, highest_ms
      from (${selectRunTimes(endedOn(day))}) as times`,
  )})`;
