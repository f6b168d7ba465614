import { type RawBuilder, sql } from 'kysely';
import { endedOn, selectFailureRows, selectJobRows, selectJobTotals, selectPlanJobs } from './job-rows.ts';
import { selectOpenMovements } from './mrr.ts';
import { selectMoneyRows } from './revenue-days.ts';
import { selectSiteRow } from './site-days.ts';

/*
 * The days that were rolled up, and the live ones as they are now: normally only today. What deleted accounts left on live days was
 * added when they were deleted.
 */

type Rows = RawBuilder<unknown>;

/** Days (UTC) from the first one to today. `live`: the last of them, oldest first, that are read live. */
export type Days = { first: string; live: LiveDays };
export type LiveDays = readonly [string, ...string[]];

export const todayOf = (live: LiveDays): string => live.at(-1) ?? live[0];

/** Rows of all live days. Each day is a query of its own, which reads the same index as the one of today alone. */
export const selectLive = (live: LiveDays, select: (day: string) => Rows): Rows =>
  sql.join(live.map(select), sql` union all `);

/** Only the days that are kept are compared with the span: live rows would be estimated far too low otherwise. */
const keptDays = (table: string, { first, live }: Days): Rows => sql`
  select * from ${sql.table(table)}
  where day between ${first}::date and ${todayOf(live)}::date and (day < ${live[0]}::date or from_deleted)`;

/** Live rows have no plan. */
export const jobSource = (days: Days): Rows => sql`(
  ${keptDays('job_days', days)}
  union all ${selectLive(days.live, (day) => selectJobRows(endedOn(day), false, false))})`;
/** Jobs of each day by surface and plan. */
export const planSource = (days: Days): Rows => sql`(
  select day, surface, tier, completed, failed from (${keptDays('job_days', days)}) as kept
  union all ${selectLive(
    days.live,
    (day) => sql`select ${day}::date, surface, tier, completed, failed from (${selectPlanJobs(endedOn(day))}) as plans`,
  )})`;
/** Totals of each day, over all engines. */
export const dayTotalSource = (days: Days): Rows => sql`(
  select day, completed, case surface when 'api' then completed else 0 end as api_completed, failed, run_ms
  from (${keptDays('job_days', days)}) as kept
  union all ${selectLive(
    days.live,
    (day) => sql`select ${day}::date, completed, api_completed, failed, run_ms
      from (${selectJobTotals(endedOn(day))}) as totals`,
  )})`;
export const failureSource = (days: Days): Rows => sql`(
  ${keptDays('failure_days', days)}
  union all ${selectLive(days.live, (day) => selectFailureRows(endedOn(day), false))})`;

export const siteSource = (live: LiveDays): Rows => sql`(
  select day, users, new_users, verified_users, deleted_users, active_users from site_days where day < ${live[0]}::date
  union all ${selectLive(live, selectSiteRow)})`;

/** Money and movements. `mrr` and `accounts` are null on days that MRR wasn't booked on. Movements since count today. */
export const revenueSource = (live: LiveDays): Rows => {
  const today = sql`${todayOf(live)}::date`;
  const isKept = sql`day < ${live[0]}::date`;
  return sql`(
    select day, tier, case when is_booked and day <> ${today} then accounts end as accounts,
      case when is_booked and day <> ${today} then mrr end as mrr, new_mrr, expansion, contraction, churn, reactivation,
      lost_accounts, case when ${isKept} then gross else 0 end as gross, case when ${isKept} then refunds else 0 end as refunds
    from revenue_days
    union all
    select ${today}, tier, accounts, mrr, new_mrr, expansion, contraction, churn, reactivation, lost_accounts, 0, 0
    from (${selectOpenMovements()}) as open_movements
    union all ${selectLive(
      live,
      (day) => sql`select ${day}::date, tier, null, null, 0, 0, 0, 0, 0, 0, gross, refunds
        from (${selectMoneyRows(day)}) as money`,
    )})`;
};
