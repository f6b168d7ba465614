import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { type DayValue, dayOf, isOn, startOf } from '../../days.ts';
import { wasDelivered } from '../jobs/jobs.ts';

/** Counts all, less those after the day: PostgreSQL reads one small index for it. */
const usersUntil = (day: DayValue) =>
  sql`(select count(*) from users) - (select count(*) from users where created_at >= ${startOf(day, 1)} or is_service)`;

/** `site_days` of a day. Deleted accounts count on the days before their deletion. */
export const selectSiteRow = (day: DayValue): RawBuilder<unknown> => sql`
  select ${day}::date as day,
    (${usersUntil(day)}
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

/** Replaces the accounts of a day. */
export async function replaceSiteDay(tx: Tx, day: string): Promise<void> {
  await sql`
    insert into site_days (day, users, new_users, verified_users, deleted_users, active_users) ${selectSiteRow(day)}
    on conflict (day) do update set users = excluded.users, new_users = excluded.new_users,
      verified_users = excluded.verified_users, deleted_users = excluded.deleted_users,
      active_users = excluded.active_users`.execute(tx);
}

/** Notes the days on which an account that is about to be deleted counts. */
export async function keepDaysOfDeleted(tx: Tx, accountId: string): Promise<void> {
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
