import { tiers } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import {
  jobSeconds,
  readAccountTime,
  readState,
  readSystemTime,
  readVisitorsTime,
  visitorTier,
  weightOf,
} from './virtual-times.ts';

/** Account ID that represents all visitors in `queue_heads`. */
export const visitorsId = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** Name of the row in `instance` that stores the sum of the weights in `queue_heads`. */
export const waitingWeights = 'waiting_weights';

/**
 * Whether no visitor preview is running. Visitors' previews start one after another, so all of them together take one
 * slot. When a preview ends, the visitors' virtual time changes, which makes the next claim evaluate this condition
 * again.
 */
export const isNoVisitorRunning = sql<boolean>`not exists (
  select from jobs running where running.kind = 'preview' and running.status = 'processing' and running.account_id is null)`;

const selectFirstJob = (account: RawBuilder<unknown>) => sql`
  select id as job_id, created_at, not_before > created_at as was_delayed, ${jobSeconds} as seconds from jobs
  where account_id ${account} and status = 'queued' and not_before <= now() order by created_at, id limit 1`;

/** An array, because PostgreSQL then plans for few accounts, regardless of the statistics of `queue_changes`. */
const dirtyIds = sql`array(select account_id from dirty)`;

/**
 * `dirty`: accounts with rows in `queue_heads` that may be out of date. `fresh`: the current heads of those accounts.
 */
const changedHeads = sql`changed as (
    delete from queue_changes where due_at <= now() returning account_id
  ), dirty as materialized (
    select distinct account_id from changed
  ), fresh as materialized (
    select head.*, plan.weight, virtual_time + seconds / plan.weight as finish
    from (
      select users.id as account_id, users.tier, users.plan_version, ${readAccountTime(undefined)} as virtual_time, job.*
      from users cross join lateral (${selectFirstJob(sql`= users.id`)}) job where users.id = any (${dirtyIds})
      union all
      select ${visitorsId}, ${sql.lit(visitorTier)}, null, ${readVisitorsTime}, job.*
      from (${selectFirstJob(sql`is null`)}) job where ${visitorsId} in (select account_id from dirty) and ${isNoVisitorRunning}
    ) head cross join lateral (select ${weightOf(sql`head`)} as weight) plan
  ), total as (
    select ${readState(sql`${waitingWeights}`)} + coalesce((select sum(weight) from fresh), 0) - coalesce((
      select sum(weight) from queue_heads where account_id = any (${dirtyIds})), 0) as weights
  )`;

/** Writes the heads in `fresh` to `queue_heads`, and removes the rows of accounts that have no head. */
const storedHeads = sql`removed as (
    delete from queue_heads
    where account_id = any (array(select account_id from dirty except select account_id from fresh))
  ), stored as (
    insert into queue_heads (account_id, job_id, created_at, was_delayed, seconds, tier, weight, virtual_time, finish)
    select account_id, job_id, created_at, was_delayed, seconds, tier, weight, virtual_time, finish from fresh
    on conflict (account_id) do update set job_id = excluded.job_id, created_at = excluded.created_at,
      was_delayed = excluded.was_delayed, seconds = excluded.seconds, tier = excluded.tier, weight = excluded.weight,
      virtual_time = excluded.virtual_time, finish = excluded.finish
  )`;

const finishOrder = sql`finish, created_at, job_id`;

/** Searches `fresh` and, for accounts that haven't changed, `queue_heads`. */
const selectFirstOfPlan = (condition: RawBuilder<unknown>) => sql`(
    select * from (
      (select ${columns} from queue_heads
        where tier = plans.tier and ${condition} and account_id <> all (${dirtyIds})
        order by ${finishOrder} limit 1)
      union all
      (select ${columns} from fresh where tier = plans.tier and ${condition} order by ${finishOrder} limit 1)
    ) heads order by ${finishOrder} limit 1
  )`;
const columns = sql`account_id, job_id, created_at, was_delayed, seconds, tier, weight, virtual_time, finish`;
const planRows = sql`(values ${sql.join(tiers.map((tier) => sql`(${sql.lit(tier)})`))}) plans (tier)`;

/**
 * `leaders`: the first head of each plan. `ready`: the first head of each plan among accounts whose virtual time the
 * system has reached.
 */
export const selectLeaders = (tie: number) => sql`${changedHeads}, ${storedHeads}, leaders as materialized (
    select head.* from ${planRows} cross join lateral ${selectFirstOfPlan(sql`true`)} head
  ), reached as materialized (
    select greatest(${readSystemTime()}, least(
      (select min(virtual_time) from fresh),
      (select virtual_time from queue_heads where account_id <> all (${dirtyIds})
        order by virtual_time limit 1)
    )) + ${sql.lit(tie)}::double precision as virtual_time
  ), ready as materialized (
    select head.* from ${planRows}
    cross join lateral ${selectFirstOfPlan(sql`virtual_time <= (select reached.virtual_time from reached)`)} head
  )`;

const refreshHeadsQuery = prepareQuery(
  () => sql`
    with ${changedHeads}, ${storedHeads}
    insert into instance (name, value) select ${sql.lit(waitingWeights)}, weights::text from total
    on conflict (name) do update set value = excluded.value`,
);

/** Updates `queue_heads` without claiming a job. Requires the claim lock. */
export const refreshHeads = (tx: Tx) => refreshHeadsQuery(tx, {});
