import { outageMinutes } from '@uprez/contracts/policy/admin/worker-pools';
import { type RawBuilder, sql } from 'kysely';
import { afterSeconds } from '../../times.ts';

/** Seconds without a heartbeat after which a worker counts as not running. Workers send a heartbeat every 5 seconds. */
const silentS = 15;

const settings = sql`(select value from settings where name = 'jobs')`;
/** Whether a worker is drained, by its name or because all workers are. */
export const isDrainedName = (name: RawBuilder<unknown>) =>
  sql<boolean>`(coalesce((${settings}->>'drainsAll')::boolean, false)
    or coalesce(${settings}->'drainedWorkers' ? ${name}, false))`;
export const isWorkerDrained = isDrainedName(sql`workers.name`);

/** Whether a shared worker may start any job: it isn't drained, no engine is paused, and nothing is assigned to a pool. */
export const startsAllJobs = (workerName: string) => sql<boolean>`not (
  ${isDrainedName(sql`${workerName}`)} or coalesce(${settings}->'pausedEngines', '[]') <> '[]'
  or exists (select from account_pools) or exists (select from plan_pools))`;
export const isLive = sql<boolean>`workers.last_sign_at > now() - make_interval(secs => ${sql.lit(silentS)})`;
export const busySlots = sql<number>`(select count(*)::integer from job_leases where worker_id = workers.id)`;

/** Whether a row of `workers` has a slot that could start a job. */
export const hasFreeSlot = sql<boolean>`(${isLive} and not ${isWorkerDrained} and workers.slots > ${busySlots})`;

/** The pool that a row of `users` is assigned to, directly or by its plan. Null if there is none. */
export const assignedPool = (users: RawBuilder<unknown>) =>
  sql<string | null>`coalesce((select pool from account_pools where account_id = ${users}.id),
    (select pool from plan_pools where tier = ${users}.tier))`;

const isInService = sql<boolean>`coalesce(pools.last_sign_at > ${afterSeconds(-outageMinutes * 60)}, false)`;

/** Whether shared workers leave the jobs of a row of `pools` to the pool's own workers. */
const keepsJobs = sql<boolean>`case pools.fallback when 'never' then true when 'outage' then ${isInService}
  else exists (select from workers where workers.pool = pools.name and ${hasFreeSlot}) end`;

/**
 * Whether a worker may start the jobs of a row of `users`. A reserved worker starts only jobs of its pool. A shared
 * worker starts jobs without a pool, and jobs of pools that don't keep them.
 */
export const mayStart = (users: RawBuilder<unknown>, pool: string | undefined) =>
  pool === undefined
    ? sql<boolean>`coalesce(${assignedPool(users)} <> all (array(select name from pools where ${keepsJobs})), true)`
    : sql<boolean>`${assignedPool(users)} = ${pool}`;

/** Whether the jobs of a row of `pools` wait for the pool's own workers, even if shared workers may help. */
const isHome = sql<boolean>`(pools.fallback = 'never' or ${isInService})`;

/** The pool whose workers the jobs of a row of `users` wait for. Null for shared workers. */
export const homePool = (users: RawBuilder<unknown>) =>
  sql<string | null>`(select pools.name from pools where pools.name = ${assignedPool(users)} and ${isHome})`;

/** Selects the pools, each as `pool`, whose workers to wake for a job of a row of `users`. Null for shared workers. */
export const poolsToWake = (users: RawBuilder<unknown>) => sql`(
  select assigned.name as pool from (select ${assignedPool(users)} as name) assigned
  left join pools on pools.name = assigned.name where pools.name is null or ${isInService}
  union
  select null from pools where pools.name = ${assignedPool(users)}
    and (pools.fallback = 'busy' or pools.fallback = 'outage' and not ${isInService}))`;

const someSlotIsFree = sql<boolean>`exists (select from workers where ${hasFreeSlot})`;

/**
 * Whether a worker that may start the job of a row of `jobs` has a free slot. The first condition is evaluated once.
 */
export const isSlotFree = sql<boolean>`(${someSlotIsFree} and exists (
  select from workers left join users on users.id = jobs.account_id
  where ${hasFreeSlot} and case when workers.pool is null then ${mayStart(sql`users`, undefined)}
    else workers.pool = ${assignedPool(sql`users`)} end))`;
