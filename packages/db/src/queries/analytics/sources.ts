import { bucketsPerOctave } from '@uprez/contracts/policy/histogram';
import { type RawBuilder, sql } from 'kysely';
import type { DayValue } from './days.ts';
import {
  endedOn,
  selectFailureRows,
  selectJobRows,
  selectJobTotals,
  selectRunTimes,
  selectTimeRows,
} from './job-rows.ts';
import { selectOpenMovements } from './mrr.ts';
import { selectMoneyRows } from './revenue-days.ts';
import { selectSiteRow } from './site-days.ts';

/*
 * The rolled-up days, with today as it is now. What deleted accounts left today was added when they were deleted.
 */

type Rows = RawBuilder<unknown>;

/** Days (UTC) until today, both included. */
export type Days = { first: string; today: string };

/** Only the days that are kept are compared with the span: today's rows would be estimated far too low otherwise. */
const keptDays = (table: string, { first, today }: Days): Rows => sql`
  select * from ${sql.table(table)}
  where day between ${first}::date and ${today}::date and (day <> ${today}::date or from_deleted)`;

const limitOf = (next: number) => sql`power(2, (bucket + ${sql.lit(next)}) / ${sql.lit(bucketsPerOctave)}::float8)`;
const range = sql`min(coalesce(lowest_ms, ${limitOf(0)})) as lowest_ms, max(coalesce(highest_ms, ${limitOf(1)})) as highest_ms`;

/** Without `tiers`, today's rows have no plan. */
export const jobSource = (days: Days, { tiers }: { tiers: boolean }): Rows => sql`(
  ${keptDays('job_days', days)} union all ${selectJobRows(endedOn(days.today), false, tiers)})`;
/** Totals of each day, over all engines. */
export const dayTotalSource = (days: Days): Rows => sql`(
  select day, completed, failed, run_ms from (${keptDays('job_days', days)}) as kept
  union all select ${days.today}::date, completed, failed, run_ms from (${selectJobTotals(endedOn(days.today))}) as totals)`;
/** Histograms by period, engine, and measure. Kept days are added up first, because they have many rows. */
export const timeSource = (days: Days, from: string): Rows => sql`(
  select day >= ${from}::date as is_current, engine, measure, bucket, sum(count) as count, ${range}
  from (${keptDays('job_time_days', days)}) as kept group by 1, 2, 3, 4
  union all
  select true, engine, measure, bucket, count, lowest_ms, highest_ms
  from (${selectTimeRows(endedOn(days.today), false)}) as today)`;
/** Histograms of running times by period, over all engines. */
export const runTimeSource = (days: Days, from: string): Rows => sql`(
  select day >= ${from}::date as is_current, bucket, sum(count) as count, ${range}
  from (${keptDays('job_time_days', days)}) as kept where measure = 'run' group by 1, 2
  union all
  select true, bucket, count, lowest_ms, highest_ms from (${selectRunTimes(endedOn(days.today))}) as today)`;
export const failureSource = (days: Days): Rows => sql`(
  ${keptDays('failure_days', days)} union all ${selectFailureRows(endedOn(days.today), false)})`;

export const siteSource = (today: DayValue): Rows => sql`(
  select day, users, new_users, verified_users, deleted_users, active_users from site_days where day <> ${today}::date
  union all ${selectSiteRow(today)})`;

/** Money and movements. `mrr` and `accounts` are null on days that MRR wasn't booked on. */
export const revenueSource = (today: DayValue): Rows => sql`(
  select day, tier, case when is_booked and day <> ${today}::date then accounts end as accounts,
    case when is_booked and day <> ${today}::date then mrr end as mrr, new_mrr, expansion, contraction, churn, reactivation,
    lost_accounts, case when day <> ${today}::date then gross else 0 end as gross,
    case when day <> ${today}::date then refunds else 0 end as refunds
  from revenue_days
  union all
  select ${today}::date, tier, accounts, mrr, new_mrr, expansion, contraction, churn, reactivation, lost_accounts, 0, 0
  from (${selectOpenMovements()}) as open_movements
  union all
  select ${today}::date, tier, null, null, 0, 0, 0, 0, 0, 0, gross, refunds from (${selectMoneyRows(today)}) as money)`;
