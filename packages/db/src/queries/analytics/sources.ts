import { type RawBuilder, sql } from 'kysely';
import type { DayValue } from './days.ts';
import { endedOn, selectFailureRows, selectJobRows, selectTimeRows } from './job-rows.ts';
import { selectOpenMovements } from './mrr.ts';
import { selectMoneyRows } from './revenue-days.ts';
import { selectSiteRow } from './site-days.ts';

/*
 * The rolled-up days, with today as it is now. What deleted accounts left today was added when they were deleted.
 */

type Rows = RawBuilder<unknown>;

const withToday = (table: string, today: DayValue, live: Rows): Rows => sql`(
  select * from ${sql.table(table)} where day <> ${today}::date or from_deleted union all ${live})`;

export const jobSource = (today: DayValue): Rows => withToday('job_days', today, selectJobRows(endedOn(today), false));
export const timeSource = (today: DayValue): Rows =>
  withToday('job_time_days', today, selectTimeRows(endedOn(today), false));
export const failureSource = (today: DayValue): Rows =>
  withToday('failure_days', today, selectFailureRows(endedOn(today), false));

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
