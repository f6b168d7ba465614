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

/** The pool whose workers the jobs of an account wait for. Null: shared ones. */
export async function findHomePool(db: DbOrTx, accountId: string): Promise<string | null> {
  const [row] = await selectHome(db, { accountId });
  return row?.pool ?? null;
}

/** Whether there is any pool. */
export async function hasPools(db: DbOrTx): Promise<boolean> {
  const pool = await db.selectFrom('pools').select('name').limit(1).executeTakeFirst();
  return pool !== undefined;
}

/** The pools, each with the plans and the number of accounts that are assigned to it. */
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

/** Some accounts of each pool, those that were assigned by themselves. `limit`: of a pool. */
export async function listPoolAccounts(db: DbOrTx, limit: number) {
  const { rows } = await sql<{ pool: string; id: string; email: string; name: string | null }>`
    select pools.name as pool, account.id, account.email, account.name from pools cross join lateral (
      select users.id, users.email, nullif(concat_ws(' ', users.first_name, users.last_name), '') as name
      from account_pools join users on users.id = account_pools.account_id
      where account_pools.pool = pools.name order by users.email limit ${limit}
    ) account`.execute(db);
  return rows;
}

/** Create or change a pool. */
export const upsertPool = (tx: Tx, name: string, fallback: PoolFallback) =>
  tx
    .insertInto('pools')
    .values({ name, fallback })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ fallback }))
    .execute();

/** Delete a pool with its assignments. */
export const deletePoolRow = (tx: Tx, name: string) => tx.deleteFrom('pools').where('name', '=', name).execute();

/** Assign these plans to a pool, and no others. */
export async function assignPlans(tx: Tx, pool: string, tiers: readonly Tier[]): Promise<void> {
  await tx.deleteFrom('planPools').where('pool', '=', pool).execute();
  if (tiers.length === 0) return;
  await tx
    .insertInto('planPools')
    .values(tiers.map((tier) => ({ tier, pool })))
    .onConflict((conflict) => conflict.column('tier').doUpdateSet({ pool }))
    .execute();
}

/** Assign an account to a pool; null: to that of its plan. */
export async function assignAccount(tx: Tx, accountId: string, pool: string | null): Promise<void> {
  if (pool === null) await tx.deleteFrom('accountPools').where('accountId', '=', accountId).execute();
  else
    await tx
      .insertInto('accountPools')
      .values({ accountId, pool })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ pool }))
      .execute();
}

/** The pool of an account by itself, and that of its plan. Undefined: no such account. */
export async function findAssignment(db: DbOrTx, accountId: string) {
  const { rows } = await sql<{ pool: string | null; planPool: string | null }>`
    select (select pool from account_pools where account_id = users.id) as pool,
      (select pool from plan_pools where tier = users.tier) as "planPool"
    from users where users.id = ${accountId}`.execute(db);
  return rows[0];
}

/** Queued jobs whose workers may have changed: of a pool, of plans, and of an account. Some of them. */
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
