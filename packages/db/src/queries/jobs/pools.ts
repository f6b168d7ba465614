import type { PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { PoolsTable } from '../../tables/job-tables.ts';
import { assignedPool, homePool } from './pool-rules.ts';

type PoolRow = Selectable<PoolsTable>;

const selectHome = prepareQuery(
  (_db, { accountId }: { accountId: string }) => sql<{ pool: string | null }>`
    select ${homePool(sql`users`)} as pool from users where users.id = ${accountId}`,
);

/** Returns the pool whose workers the jobs of an account wait for. Null for shared workers. */
export async function findHomePool(db: DbOrTx, accountId: string): Promise<string | null> {
  const [row] = await selectHome(db, { accountId });
  return row?.pool ?? null;
}

/** Whether any pool exists. */
export async function hasPools(db: DbOrTx): Promise<boolean> {
  const pool = await db.selectFrom('pools').select('name').limit(1).executeTakeFirst();
  return pool !== undefined;
}

/** Lists the pools, each with its assigned plans and its number of assigned accounts. */
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

/** Lists up to `limit` accounts of each pool that are assigned directly, not by their plan. */
export async function listPoolAccounts(db: DbOrTx, limit: number) {
  const { rows } = await sql<{ pool: string; id: string; email: string; name: string | null }>`
    select pools.name as pool, account.id, account.email, account.name from pools cross join lateral (
      select users.id, users.email, nullif(concat_ws(' ', users.first_name, users.last_name), '') as name
      from account_pools join users on users.id = account_pools.account_id
      where account_pools.pool = pools.name order by users.email limit ${limit}
    ) account`.execute(db);
  return rows;
}

/** Creates or changes a pool. */
export const upsertPool = (tx: Tx, name: string, fallback: PoolFallback) =>
  tx
    .insertInto('pools')
    .values({ name, fallback })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ fallback }))
    .execute();

/** Deletes a pool with its assignments. */
export const deletePoolRow = (tx: Tx, name: string) => tx.deleteFrom('pools').where('name', '=', name).execute();

/** Assigns exactly these plans to a pool. */
export async function assignPlans(tx: Tx, pool: string, tiers: readonly Tier[]): Promise<void> {
  await tx.deleteFrom('planPools').where('pool', '=', pool).execute();
  if (tiers.length === 0) return;
  await tx
    .insertInto('planPools')
    .values(tiers.map((tier) => ({ tier, pool })))
    .onConflict((conflict) => conflict.column('tier').doUpdateSet({ pool }))
    .execute();
}

/** Assigns an account to a pool. Null removes the assignment, so that the pool of its plan applies. */
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
 * Returns the pool that an account is assigned to directly, and the pool of its plan. Returns undefined if there is no
 * such account.
 */
export async function findAssignment(db: DbOrTx, accountId: string) {
  const { rows } = await sql<{ pool: string | null; planPool: string | null }>`
    select (select pool from account_pools where account_id = users.id) as pool,
      (select pool from plan_pools where tier = users.tier) as "planPool"
    from users where users.id = ${accountId}`.execute(db);
  return rows[0];
}

/** Lists up to 500 queued jobs whose workers may have changed: jobs of a pool, of plans, and of an account. */
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
