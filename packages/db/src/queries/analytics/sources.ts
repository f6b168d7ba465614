import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { type DayValue, dayOf, isOn, startOf } from '../../times.ts';
import { netOf, selectPaymentsBetween } from '../billing/admin/revenue.ts';
import { wasDelivered } from '../jobs/jobs.ts';
import { selectOpenMovements } from './mrr.ts';
import { isJobEndedOn, selectFailureRows, selectJobRows, selectJobTotals, selectPlanJobs } from './roll-up-jobs.ts';

/*
 * The days that were rolled up, and the live ones as they are now: normally only today. What deleted accounts left on live days was
 * added when they were deleted.
 */

type Rows = RawBuilder<unknown>;

/**
 * Days (UTC) from `first` to today. `live`: the last of these days, oldest first. They are read from the jobs,
 * payments, and accounts instead of the stored roll-up.
 */
export type Days = { first: string; live: LiveDays };
export type LiveDays = readonly [string, ...string[]];

export const todayOf = (live: LiveDays): string => live.at(-1) ?? live[0];

/**
 * Selects the rows of all live days. Uses a separate query for each day, because it then uses the same index as a query
 * for today alone.
 */
export const selectLiveDays = (live: LiveDays, select: (day: string) => Rows): Rows =>
  sql.join(live.map(select), sql` union all `);

/**
 * Selects the stored rows of a span. Live rows aren't compared with the span, because the planner would then estimate
 * far too few of them.
 */
const selectStoredDays = (table: string, { first, live }: Days): Rows => sql`
  select * from ${sql.table(table)}
  where day between ${first}::date and ${todayOf(live)}::date and (day < ${live[0]}::date or from_deleted)`;

/** Selects jobs by day. Live rows have no plan. */
export const jobSource = (days: Days): Rows => sql`(
  ${selectStoredDays('job_days', days)}
  union all ${selectLiveDays(days.live, (day) => selectJobRows(isJobEndedOn(day), false, false))})`;
export const planSource = (days: Days): Rows => sql`(
  select day, surface, tier, completed, failed from (${selectStoredDays('job_days', days)}) as kept
  union all ${selectLiveDays(
    days.live,
    (day) =>
      sql`select ${day}::date, surface, tier, completed, failed from (${selectPlanJobs(isJobEndedOn(day))}) as plans`,
  )})`;
export const dayTotalSource = (days: Days): Rows => sql`(
  select day, completed, case surface when 'api' then completed else 0 end as api_completed, failed, run_ms
  from (${selectStoredDays('job_days', days)}) as kept
  union all ${selectLiveDays(
    days.live,
    (day) => sql`select ${day}::date, completed, api_completed, failed, run_ms
      from (${selectJobTotals(isJobEndedOn(day))}) as totals`,
  )})`;
export const failureSource = (days: Days): Rows => sql`(
  ${selectStoredDays('failure_days', days)}
  union all ${selectLiveDays(days.live, (day) => selectFailureRows(isJobEndedOn(day), false))})`;

export const siteSource = (live: LiveDays): Rows => sql`(
  select day, users, new_users, verified_users, deleted_users, active_users from site_days where day < ${live[0]}::date
  union all ${selectLiveDays(live, selectSiteRow)})`;

/**
 * Selects revenue and MRR movements. `mrr` and `accounts` are null on days without an MRR booking. Movements since the
 * last booking count for today.
 */
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
    union all ${selectLiveDays(
      live,
      (day) => sql`select ${day}::date, tier, null, null, 0, 0, 0, 0, 0, 0, gross, refunds
        from (${selectMoneyRows(day)}) as money`,
    )})`;
};

/** The plan that a payment was for, or `pack`. */
const paymentTier = sql`coalesce(
  (select prices.tier from invoice_lines join prices on prices.id = invoice_lines.price_id
    where invoice_lines.invoice_id = payments.invoice_id and prices.tier is not null
    order by invoice_lines.amount desc, invoice_lines.id limit 1),
  (select subscriptions.tier from invoices join subscriptions on subscriptions.id = invoices.subscription_id
    where invoices.id = payments.invoice_id),
  'pack')`;

/**
 * Selects a day's payments and refunds by plan, in cents without tax. A lost dispute counts as a refund on the day on
 * which it was lost.
 */
const selectMoneyRows = (day: DayValue): RawBuilder<unknown> => sql`
  select tier, sum(gross) as gross, sum(refunds) as refunds from (
    select ${paymentTier} as tier, ${netOf(sql`payments.received`)} as gross, 0::numeric as refunds from payments
    where received > 0 and payments.id in (${selectPaymentsBetween(startOf(day), startOf(day, 1))})
    union all
    select ${paymentTier}, 0, ${netOf(sql`refunds.amount`)} from refunds join payments on payments.id = payment_id
    where refunds.status not in ('failed', 'canceled') and ${isOn(sql`refunds.created_at`, day)}
    union all
    select ${paymentTier}, 0, ${netOf(sql`disputes.amount`)} from disputes join payments on payments.id = payment_id
    where outcome = 'lost' and ${isOn(sql`lost_at`, day)}
  ) as money group by tier`;

export async function replaceRevenueDay(tx: Tx, day: string): Promise<void> {
  await sql`update revenue_days set gross = 0, refunds = 0 where day = ${day}::date`.execute(tx);
  await sql`
    insert into revenue_days (day, tier, gross, refunds)
    select ${day}::date, tier, gross, refunds from (${selectMoneyRows(day)}) as money
    on conflict (day, tier) do update set gross = excluded.gross, refunds = excluded.refunds`.execute(tx);
}

/**
 * Lists days that are already final, but for which payments, refunds, or lost disputes have been stored since the last
 * read. `readAt`: the current time, for the next read.
 */
export async function listLateMoneyDays(db: DbOrTx): Promise<{ days: string[]; readAt: Date }> {
  // Goes back 10 minutes, because `fetched_at` is the start of a transaction that may have taken minutes to commit.
  const since = sql`coalesce(state.money_read_at - interval '10 minutes', '-infinity')`;
  const { rows } = await sql<{ days: string[]; readAt: Date }>`
    select now() as "readAt", array(
      select distinct day::text from (
        select ${dayOf(sql`created_at`)} as day from payments where fetched_at >= ${since}
        union all select ${dayOf(sql`paid_at`)} from invoices where fetched_at >= ${since}
        union all select ${dayOf(sql`created_at`)} from refunds where fetched_at >= ${since}
        union all select ${dayOf(sql`lost_at`)} from disputes where fetched_at >= ${since}
      ) as stored where day < state.frozen_until order by 1) as days
    from analytics_state state`.execute(db);
  return rows[0] ?? { days: [], readAt: new Date() };
}

/** Counts all users minus later ones, because PostgreSQL then reads only one small index. */
const countUsersUntil = (day: DayValue) =>
  sql`(select count(*) from users) - (select count(*) from users where created_at >= ${startOf(day, 1)} or is_service)`;

/** Selects the `site_days` row of a day. Deleted accounts count on the days before their deletion. */
const selectSiteRow = (day: DayValue): RawBuilder<unknown> => sql`
  select ${day}::date as day,
    (${countUsersUntil(day)}
      + (select coalesce(sum(new_users - deleted_users), 0) from deleted_account_days where day <= ${day}::date))::int as users,
    (signed_up.count + coalesce(deleted.new_users, 0))::int as new_users,
    (signed_up.verified + coalesce(deleted.verified_users, 0))::int as verified_users,
    coalesce(deleted.deleted_users, 0)::int as deleted_users,
    (active.count + coalesce(deleted.active_users, 0))::int as active_users
  from (select count(*) as count, count(*) filter (where email_verified) as verified from users
      where ${isOn(sql`created_at`, day)} and not is_service) as signed_up
    cross join (select count(*) as count from (
      select account_id from jobs where ${isOn(sql`jobs.finished_at`, day)} and ${wasDelivered}
      union select account_id from usage_days where usage_days.day = ${day}::date and completed > 0) as accounts) as active
    left join deleted_account_days as deleted on deleted.day = ${day}::date`;

export async function replaceSiteDay(tx: Tx, day: string): Promise<void> {
  await sql`
    insert into site_days (day, users, new_users, verified_users, deleted_users, active_users) ${selectSiteRow(day)}
    on conflict (day) do update set users = excluded.users, new_users = excluded.new_users,
      verified_users = excluded.verified_users, deleted_users = excluded.deleted_users,
      active_users = excluded.active_users`.execute(tx);
}

/**
 * Stores the days on which an account that is about to be deleted signed up, was active, and is deleted, because it
 * still counts on these days.
 */
export async function keepDeletedAccountDays(tx: Tx, accountId: string): Promise<void> {
  const frozen = sql`coalesce((select frozen_until from analytics_state), '-infinity')`;
  await sql`
    insert into deleted_account_days as kept (day, new_users, verified_users, deleted_users, active_users)
    select day, sum(new_users), sum(verified_users), sum(deleted_users), sum(active_users) from (
      select ${dayOf(sql`created_at`)} as day, 1 as new_users, email_verified::int as verified_users, 0 as deleted_users,
        0 as active_users
      from users where id = ${accountId}
      union all select ${dayOf(sql`now()`)}, 0, 0, 1, 0
      union all select distinct ${dayOf(sql`jobs.finished_at`)}, 0, 0, 0, 1 from jobs
        where jobs.account_id = ${accountId} and ${wasDelivered} and ${dayOf(sql`jobs.finished_at`)} >= ${frozen}
    ) as days group by day
    on conflict (day) do update set new_users = kept.new_users + excluded.new_users,
      verified_users = kept.verified_users + excluded.verified_users,
      deleted_users = kept.deleted_users + excluded.deleted_users,
      active_users = kept.active_users + excluded.active_users`.execute(tx);
}
