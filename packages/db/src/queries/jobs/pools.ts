import { outageMinutes, type PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { PoolsTable } from '../../tables/job-tables.ts';
import { afterSeconds } from '../../times.ts';

type PoolRow = Selectable<PoolsTable>;

const selectHomePool = prepareQuery(
  (_db, { accountId }: { accountId: string }) => sql<{ pool: string | null }>`
    select ${homePool(sql`users`)} as pool from users where users.id = ${accountId}`,
);

/** Returns the pool that an account's jobs wait for. Returns null if they wait for shared workers. */
export async function findHomePool(db: DbOrTx, accountId: string): Promise<string | null> {
  const [row] = await selectHomePool(db, { accountId });
  return row?.pool ?? null;
}

export async function hasPools(db: DbOrTx): Promise<boolean> {
  const pool = await db.selectFrom('pools').select('name').limit(1).executeTakeFirst();
  return pool !== undefined;
}

/** Lists the pools, each with its assigned plans and the number of accounts assigned to it. */
export async function listPools(db: DbOrTx): Promise<(PoolRow & { tiers: Tier[]; accounts: number })[]> {
  return db
    .selectFrom('pools')
    .selectAll()
    .select([
      sql<Tier[]>`array(select tier from plan_pools where pool = pools.name order by tier)`.as('tiers'),
      sql<number>`(select count(*)::integer from account_pools where pool = pools.name)`.as('accounts'),
    ])
    .orderBy('name')
    .execute();
}

/** Lists up to `limit` accounts per pool that are assigned directly rather than by their plan. */
export async function listPoolAccounts(db: DbOrTx, limit: number) {
  const { rows } = await sql<{ pool: string; id: string; email: string; name: string | null }>`
    select pools.name as pool, account.id, account.email, account.name from pools cross join lateral (
      select users.id, users.email, nullif(concat_ws(' ', users.first_name, users.last_name), '') as name
      from account_pools join users on users.id = account_pools.account_id
      where account_pools.pool = pools.name order by users.email limit ${limit}
    ) account`.execute(db);
  return rows;
}

export const upsertPool = (tx: Tx, name: string, fallback: PoolFallback) =>
  tx
    .insertInto('pools')
    .values({ name, fallback })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ fallback }))
    .execute();

/** Deletes a pool with its assignments. */
export const deletePoolRow = (tx: Tx, name: string) => tx.deleteFrom('pools').where('name', '=', name).execute();

/** Replaces the plans that are assigned to a pool. */
export async function assignPlans(tx: Tx, pool: string, tiers: readonly Tier[]): Promise<void> {
  await tx.deleteFrom('planPools').where('pool', '=', pool).execute();
  if (tiers.length === 0) return;
  await tx
    .insertInto('planPools')
    .values(tiers.map((tier) => ({ tier, pool })))
    .onConflict((conflict) => conflict.column('tier').doUpdateSet({ pool }))
    .execute();
}

/** Assigns an account to a pool. Null removes the assignment, so the account uses its plan's pool again. */
export async function assignAccount(tx: Tx, accountId: string, pool: string | null): Promise<void> {
  if (pool === null) await tx.deleteFrom('accountPools').where('accountId', '=', accountId).execute();
  else
    await tx
      .insertInto('accountPools')
      .values({ accountId, pool })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ pool }))
      .execute();
}

/**
 * Returns the pool that an account is assigned to directly, and the pool of its plan. Returns undefined if the account
 * doesn't exist.
 */
export async function findAssignment(db: DbOrTx, accountId: string) {
  const { rows } = await sql<{ pool: string | null; planPool: string | null }>`
    select (select pool from account_pools where account_id = users.id) as pool,
      (select pool from plan_pools where tier = users.tier) as "planPool"
    from users where users.id = ${accountId}`.execute(db);
  return rows[0];
}

/**
 * Lists up to 500 queued jobs that different workers may now start: the jobs of a pool, of accounts on the given plans,
 * and of an account.
 */
export async function listReassignedJobs(
  db: DbOrTx,
  { pool, tiers = [], accountId }: { pool?: string; tiers?: readonly Tier[]; accountId?: string },
) {
  const { rows } = await sql<{ id: string; attempt: number }>`
    select jobs.id, jobs.attempt from jobs join users on users.id = jobs.account_id
    where jobs.status = 'queued' and jobs.not_before <= now()
      and (users.id = ${accountId ?? null}::uuid or users.tier = any(${tiers}::text[]) or ${assignedPool(sql`users`)} = ${pool ?? null}::text)
    order by jobs.created_at limit 500`.execute(db);
  return rows;
}

/** Seconds without a heartbeat after which a worker counts as not running. Workers send a heartbeat every 5 seconds. */
const heartbeatTimeoutS = 15;

const settings = sql`(select value from settings where name = 'jobs')`;
/** Whether the worker with this name is drained, either by name or because all workers are drained. */
export const isDrainedName = (name: RawBuilder<unknown>) =>
  sql<boolean>`(coalesce((${settings}->>'drainsAll')::boolean, false)
    or coalesce(${settings}->'drainedWorkers' ? ${name}, false))`;
export const isWorkerDrained = isDrainedName(sql`workers.name`);

/**
 * Whether a shared worker may start any job: it isn't drained, no engine is paused, and no account or plan is assigned
 * to a pool.
 */
export const startsAllJobs = (workerName: string) => sql<boolean>`not (
  ${isDrainedName(sql`${workerName}`)} or coalesce(${settings}->'pausedEngines', '[]') <> '[]'
  or exists (select from account_pools) or exists (select from plan_pools))`;
export const isLive = sql<boolean>`workers.last_sign_at > now() - make_interval(secs => ${sql.lit(heartbeatTimeoutS)})`;
export const busySlots = sql<number>`(select count(*)::integer from job_leases where worker_id = workers.id)`;

const hasFreeSlot = sql<boolean>`(${isLive} and not ${isWorkerDrained} and workers.slots > ${busySlots})`;

const assignedPool = (users: RawBuilder<unknown>) =>
  sql<string | null>`coalesce((select pool from account_pools where account_id = ${users}.id),
    (select pool from plan_pools where tier = ${users}.tier))`;

const isInService = sql<boolean>`coalesce(pools.last_sign_at > ${afterSeconds(-outageMinutes * 60)}, false)`;

/**
 * Whether the jobs of a row of `pools` are currently reserved for the pool's own workers, so shared workers skip them.
 */
const keepsJobs = sql<boolean>`case pools.fallback when 'never' then true when 'outage' then ${isInService}
  else exists (select from workers where workers.pool = pools.name and ${hasFreeSlot}) end`;

/**
 * Whether a worker may start the jobs of a row of `users`. A reserved worker starts only the jobs of its own pool. A
 * shared worker starts jobs that have no pool, and jobs of pools that don't keep their jobs (see `keepsJobs`).
 */
export const mayStart = (users: RawBuilder<unknown>, pool: string | undefined) =>
  pool === undefined
    ? sql<boolean>`coalesce(${assignedPool(users)} <> all (array(select name from pools where ${keepsJobs})), true)`
    : sql<boolean>`${assignedPool(users)} = ${pool}`;

/**
 * Whether the jobs of a row of `pools` wait for the pool's own workers. If the fallback is `busy`, shared workers may
 * also start them.
 */
const isHomePool = sql<boolean>`(pools.fallback = 'never' or ${isInService})`;

/** The pool that the jobs of a row of `users` wait for. Null if they wait for shared workers. */
export const homePool = (users: RawBuilder<unknown>) =>
  sql<string | null>`(select pools.name from pools where pools.name = ${assignedPool(users)} and ${isHomePool})`;

/**
 * Selects the pools (column `pool`) that have workers to wake for a job of a row of `users`. Null stands for shared
 * workers.
 */
export const poolsToWake = (users: RawBuilder<unknown>) => sql`(
  select assigned.name as pool from (select ${assignedPool(users)} as name) assigned
  left join pools on pools.name = assigned.name where pools.name is null or ${isInService}
  union
  select null from pools where pools.name = ${assignedPool(users)}
    and (pools.fallback = 'busy' or pools.fallback = 'outage' and not ${isInService}))`;

const isAnySlotFree = sql<boolean>`exists (select from workers where ${hasFreeSlot})`;

/**
 * Whether a worker that may start the job of a row of `jobs` has a free slot. First checks whether any slot is free,
 * because PostgreSQL evaluates that condition only once.
 */
export const isSlotFree = sql<boolean>`(${isAnySlotFree} and exists (
  select from workers left join users on users.id = jobs.account_id
  where ${hasFreeSlot} and case when workers.pool is null then ${mayStart(sql`users`, undefined)}
    else workers.pool = ${assignedPool(sql`users`)} end))`;
