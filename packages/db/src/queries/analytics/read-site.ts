import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { startOf } from '../../times.ts';
import type { Span } from './read-jobs.ts';
import { revenueSource, siteSource } from './sources.ts';

export type SiteDay = {
  day: string;
  users: number;
  newUsers: number;
  verifiedUsers: number;
  deletedUsers: number;
  activeUsers: number;
};

/** Reads account counts by day. Days that weren't rolled up have no row. */
export async function readSiteDays(db: DbOrTx, { previousFrom, to, live }: Span): Promise<SiteDay[]> {
  const { rows } = await sql<SiteDay>`
    select day::text, users, new_users as "newUsers", verified_users as "verifiedUsers", deleted_users as "deletedUsers",
      active_users as "activeUsers"
    from ${siteSource(live)} as days where day between ${previousFrom}::date and ${to}::date order by day`.execute(db);
  return rows;
}

/** Amounts are in cents. `mrr` and `accounts` are null if MRR wasn't booked on the day. */
export type MoneyDay = {
  day: string;
  accounts: number | null;
  mrr: number | null;
  newMrr: number;
  expansion: number;
  contraction: number;
  churn: number;
  reactivation: number;
  lostAccounts: number;
  gross: number;
  refunds: number;
};

const sumCents = (column: string): RawBuilder<unknown> => sql`sum(${sql.ref(column)})::float8`;

/**
 * Reads revenue by day. Starts at the last day before `previousFrom` on which MRR was booked, or at `previousFrom` if
 * MRR wasn't booked before.
 */
export async function readMoneyDays(db: DbOrTx, { previousFrom, to, live }: Span): Promise<MoneyDay[]> {
  const { rows } = await sql<MoneyDay>`
    select day::text, sum(accounts)::int as accounts, ${sumCents('mrr')} as mrr, ${sumCents('new_mrr')} as "newMrr",
      ${sumCents('expansion')} as expansion, ${sumCents('contraction')} as contraction, ${sumCents('churn')} as churn,
      ${sumCents('reactivation')} as reactivation, sum(lost_accounts)::int as "lostAccounts", ${sumCents('gross')} as gross,
      ${sumCents('refunds')} as refunds
    from ${revenueSource(live)} as days
    where day <= ${to}::date and day >= coalesce(
      (select max(day) from revenue_days where is_booked and day < ${previousFrom}::date), ${previousFrom}::date)
    group by day order by day`.execute(db);
  return rows;
}

export type PlanMoney = { plan: string; accounts: number; mrr: number; revenue: number };

/**
 * Reads, by plan, the paying accounts and the MRR on the day `to`, and the revenue minus refunds from `from` to `to`.
 * Amounts are in cents.
 */
export async function readPlanMoney(db: DbOrTx, { from, to, live }: Span): Promise<PlanMoney[]> {
  const { rows } = await sql<PlanMoney>`
    select tier as plan, coalesce(sum(accounts) filter (where day = ${to}::date), 0)::int as accounts,
      coalesce(sum(mrr) filter (where day = ${to}::date), 0)::float8 as mrr,
      coalesce(sum(gross - refunds) filter (where day >= ${from}::date), 0)::float8 as revenue
    from ${revenueSource(live)} as days where day between ${from}::date and ${to}::date group by tier order by tier`.execute(
    db,
  );
  return rows;
}

/** `paying`: null if no MRR was booked for the month. */
export type CohortMonth = { cohort: string; month: string; accounts: number; active: number; paying: number | null };

/** Reads the cohorts of the last 12 months, up to the month of `to`. */
export async function readCohorts(db: DbOrTx, to: string): Promise<CohortMonth[]> {
  const { rows } = await sql<CohortMonth>`
    select cohort::text, month::text, sum(accounts)::int as accounts, sum(active)::int as active, sum(paying)::int as paying
    from cohort_months where cohort > date_trunc('month', ${to}::date) - interval '12 months'
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

type TopRow = {
  id: string;
  email: string;
  name: string | null;
  plan: string;
  images: number;
  web: number;
  api: number;
  failed: number;
};

/** Lists the accounts with the most delivered images between two days (inclusive), most first. */
export async function listTopAccounts(db: DbOrTx, { from, to }: Span, limit: number): Promise<TopRow[]> {
  const { rows } = await sql<TopRow>`
    select users.id, users.email, nullif(trim(concat_ws(' ', users.first_name, users.last_name)), '') as name,
      users.tier as plan, top.web + top.api as images, top.web, top.api, top.failed
    from (
      select account_id, sum(web)::int as web, sum(api)::int as api, sum(failed)::int as failed
      from (
        select account_id, count(*) filter (where surface = 'web' and error_code is null) as web,
          count(*) filter (where surface = 'api' and error_code is null) as api,
          count(*) filter (where error_code <> 'cancelled') as failed
        from jobs where kind = 'image' and finished_at >= ${startOf(from)} and finished_at < ${startOf(to, 1)}
          and account_id is not null group by 1
        union all
        select account_id, case surface when 'web' then completed else 0 end,
          case surface when 'api' then completed else 0 end, failed
        from usage_days where day between ${from}::date and ${to}::date
      ) as parts group by account_id having sum(web + api) > 0
      order by sum(web + api) desc, account_id limit ${limit}
    ) as top join users on users.id = top.account_id order by images desc, users.id`.execute(db);
  return rows;
}
