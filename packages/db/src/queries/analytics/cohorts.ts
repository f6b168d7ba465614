import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { type DayValue, dayOf, startOf } from '../../times.ts';
import { wasDelivered } from '../jobs/jobs.ts';

const monthOf = (day: RawBuilder<unknown>) => sql`date_trunc('month', ${day}::timestamp)::date`;
const signUpMonth = monthOf(dayOf(sql`users.created_at`));

/**
 * Replaces the cohorts for the month of `day`: for each sign-up month, the number of accounts and how many of them had
 * an image delivered.
 */
export async function replaceCohorts(tx: Tx, day: DayValue): Promise<void> {
  const month = monthOf(sql`${day}::date`);
  const next = sql`(${month} + interval '1 month')::date`;
  await sql`
    insert into cohort_months (cohort, month, from_deleted, accounts, active)
    with active as (
      select account_id from jobs
      where jobs.finished_at >= ${startOf(month)} and jobs.finished_at < ${startOf(next)} and ${wasDelivered}
      union select account_id from usage_days
      where usage_days.day >= ${month} and usage_days.day < ${next} and completed > 0
    ), cohorts as (
      select ${signUpMonth} as cohort, count(*) as accounts, count(active.account_id) as active
      from users left join active on active.account_id = users.id
      where users.created_at < ${startOf(next)} and not users.is_service group by 1
    ), deleted as (
      select ${monthOf(sql`day`)} as cohort, sum(new_users) as accounts from deleted_account_days
      where day < ${next} and new_users > 0 group by 1
    )
    select cohort, ${month}, false, coalesce(cohorts.accounts, 0) + coalesce(deleted.accounts, 0), coalesce(active, 0)
    from cohorts full join deleted using (cohort)
    on conflict (cohort, month, from_deleted) do update set accounts = excluded.accounts, active = excluded.active`.execute(
    tx,
  );
}

/**
 * Replaces the paying cohorts for the month of `day`: for each sign-up month, the number of paying accounts and their
 * MRR as of the latest booking.
 */
export async function replacePayingCohorts(tx: Tx, day: DayValue): Promise<void> {
  const month = monthOf(sql`${day}::date`);
  await sql`update cohort_months set paying = 0, mrr = 0 where month = ${month} and not from_deleted`.execute(tx);
  await sql`
    insert into cohort_months (cohort, month, from_deleted, paying, mrr)
    select ${signUpMonth}, ${month}, false, count(*), sum(mrr_accounts.cents)
    from mrr_accounts join users on users.id::text = mrr_accounts.payer_id
    where mrr_accounts.cents > 0 group by 1
    on conflict (cohort, month, from_deleted) do update set paying = excluded.paying, mrr = excluded.mrr`.execute(tx);
}

/**
 * Counts an account that is about to be deleted as active in each month that isn't final and in which it had an image
 * delivered.
 */
export async function keepDeletedAccountCohorts(tx: Tx, accountId: string): Promise<void> {
  const open = sql`coalesce((select ${monthOf(sql`frozen_until`)} from analytics_state), '-infinity')`;
  const month = monthOf(dayOf(sql`jobs.finished_at`));
  await sql`
    insert into cohort_months as kept (cohort, month, from_deleted, active)
    select distinct ${signUpMonth}, ${month}, true, 1 from jobs join users on users.id = jobs.account_id
    where jobs.account_id = ${accountId} and ${wasDelivered} and ${month} >= ${open}
    on conflict (cohort, month, from_deleted) do update set active = kept.active + 1`.execute(tx);
}
