import { type RawBuilder, sql } from 'kysely';

/** `isWaiting`: condition for waiting rows. Must match the predicate of the index on the queues. */
type QueueTable = { table: RawBuilder<unknown>; isWaiting: RawBuilder<unknown> };
/** `first`: selects the due rows of a queue in order, with `due_at` and `position`. */
type CandidateQuery = QueueTable & { first: RawBuilder<unknown>; perAccount: number; withFree: boolean };

const queueOrder = sql`order by queue_account_id, queue_is_sandbox limit 1`;

/** Skips through the index, so the cost doesn't grow with the length of a queue. */
const selectWaitingQueues = ({ table, isWaiting }: QueueTable) => sql`queues as (
    (select queue_account_id, queue_is_sandbox from ${table}
      where ${isWaiting} and queue_account_id is not null ${queueOrder})
    union all
    select next.* from queues cross join lateral (
      select queue_account_id, queue_is_sandbox from ${table} where ${isWaiting}
        and (queue_account_id, queue_is_sandbox) > (queues.queue_account_id, queues.queue_is_sandbox) ${queueOrder}
    ) next
  )`;

/**
 * Builds `candidates`: the queues with a due row, in the order of claims. Queues of accounts with the fewest running
 * rows come first, then queues with the longest-due first row. Leaves out suspended accounts and accounts that already
 * have `perAccount` running rows. Without `withFree`, also leaves out free plans and the sandbox. Requires `with
 * recursive`, and a table `running` with the number of running rows per account.
 */
export const selectCandidateQueues = ({ first, perAccount, withFree, ...table }: CandidateQuery) =>
  sql`${selectWaitingQueues(table)}, candidates as materialized (
    select queues.*, users.tier, users.plan_version, is_free
    from queues
    join users on users.id = queue_account_id and users.suspended_at is null
    left join running on running.account_id = queue_account_id
    cross join lateral (select users.tier = 'free' or queue_is_sandbox as is_free) share
    cross join lateral (${first} limit 1) first
    where coalesce(running.count, 0) < ${perAccount} and (${withFree} or not is_free)
    order by coalesce(running.count, 0), due_at, position
  )`;
