import { AppError } from '@uprez/contracts/errors/app-error';
import { type PoolFallback, poolNamePattern } from '@uprez/contracts/policy/admin/worker-pools';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { AssignedPool, WorkerPools } from '@uprez/contracts/schemas/admin/workers';
import type { Tx } from '@uprez/db/database';
import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import {
  assignAccount,
  assignPlans,
  deletePoolRow,
  findAssignment,
  listPoolAccounts,
  listPools,
  listReassignedJobs,
  upsertPool,
} from '@uprez/db/queries/jobs/pools';
import { readWorkerLoad } from '@uprez/db/queries/jobs/workers';
import { getByUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { forgetPools, wakeWorkers } from '../jobs/wake-workers.ts';
import {
  type Administrator,
  lockActorAndUser,
  lockAdmin,
  requireRoleNotAbove,
  toAuditFields,
} from './administrator.ts';
import { type AdminChange, diffFields } from './change-user.ts';

const maxAccountsPerPool = 50;

/** Returns the current pools, with their workers and waiting work. */
export async function readPools({ db }: Needs<'db'>): Promise<WorkerPools> {
  const [pools, accounts, loads] = await Promise.all([
    listPools(db),
    listPoolAccounts(db, maxAccountsPerPool),
    readWorkerLoad(db),
  ]);
  const loadOf = (name: string | null) => {
    const {
      workers = 0,
      slots = 0,
      running = 0,
      waiting = 0,
      oldestWaitS = null,
    } = loads.find(({ pool }) => pool === name) ?? {};
    return { workers, slots, running, waiting, oldestWaitS };
  };
  return {
    shared: loadOf(null),
    pools: pools.map(({ name, fallback, tiers, accounts: accountCount, lastSignAt }) => ({
      ...{ name, fallback, tiers, accountCount },
      accounts: accounts.filter(({ pool }) => pool === name).map(({ pool: _, ...account }) => account),
      lastSignAt: lastSignAt?.toISOString() ?? null,
      ...loadOf(name),
    })),
  };
}

type PoolContext = Needs<'db' | 'queue' | 'log'>;
type PoolChange = { admin: Administrator; name: string; reason?: string | undefined };
type PoolOptions = { fallback: PoolFallback; tiers: readonly Tier[] };

/**
 * Creates or changes a pool. Waiting jobs that now belong to another pool move immediately. Throws `not_found` for an
 * invalid name.
 */
export async function putPool(ctx: PoolContext, { admin, name, reason, ...options }: PoolChange & PoolOptions) {
  if (!poolNamePattern.test(name)) throw new AppError('not_found');
  const tiers = [...new Set(options.tiers)].sort();
  const { fallback } = options;
  const before = await ctx.db.transaction().execute(async (tx) => {
    const held = await lockPool(tx, admin, name);
    const changed = diffFields(
      { fallback: held?.fallback ?? null, plans: held?.tiers ?? [] },
      { fallback, plans: tiers },
    );
    if (!changed) return held;
    await upsertPool(tx, name, fallback);
    await assignPlans(tx, name, tiers);
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: 'pool.change',
      subject: `pool:${name}`,
      reason,
      ...changed,
    });
    return held;
  });
  forgetPools(ctx.db);
  await wakeWorkers(ctx, await listReassignedJobs(ctx.db, { pool: name, tiers: [...tiers, ...(before?.tiers ?? [])] }));
}

/**
 * Deletes a pool and its assignments. Each of its waiting jobs moves to the pool for its account's plan, or to shared
 * workers. Throws `not_found`.
 */
export async function deletePool(ctx: PoolContext, { admin, name, reason }: PoolChange): Promise<void> {
  const jobs = await ctx.db.transaction().execute(async (tx) => {
    const held = await lockPool(tx, admin, name);
    if (!held) throw new AppError('not_found');
    const waiting = await listReassignedJobs(tx, { pool: name });
    await deletePoolRow(tx, name);
    const { fallback, tiers: plans, accounts } = held;
    const about = { action: 'pool.delete', subject: `pool:${name}`, reason };
    await insertAudit(tx, { ...toAuditFields(admin), ...about, before: { fallback, plans, accounts }, after: {} });
    return waiting;
  });
  await wakeWorkers(ctx, jobs);
}

/**
 * Locks all pools and returns one of them. Undefined if it doesn't exist. The lock lets only one administrator change
 * pools at a time.
 */
async function lockPool(tx: Tx, admin: Administrator, name: string) {
  await lockAdmin(tx, admin);
  await lockSettings(tx, 'pools');
  return (await listPools(tx)).find((pool) => pool.name === name);
}

/** Returns the pool that an account is assigned to, and its plan's pool. Throws `user_not_found`. */
export async function getAssignment({ db }: Needs<'db'>, userId: string): Promise<AssignedPool> {
  return getByUuid(userId, () => findAssignment(db, userId), 'user_not_found');
}

/**
 * Assigns an account to a pool, or to the pool of its plan if `pool` is null. Its waiting jobs move immediately. Throws
 * `invalid_parameter` for a pool that doesn't exist, `role_above_own`, and the errors of `lockActorAndUser`.
 */
export async function assignPool(
  ctx: Needs<'db' | 'queue' | 'log'>,
  { admin, userId, pool, reason }: AdminChange & { pool: string | null },
): Promise<AssignedPool> {
  await ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, userId);
    requireRoleNotAbove(actor, user.role);
    await lockSettings(tx, 'pools');
    if (pool !== null && !(await listPools(tx)).some(({ name }) => name === pool))
      throw new AppError('invalid_parameter', {
        param: 'pool',
        detail: `There is no pool "${pool}". Create it first.`,
      });
    const before = (await findAssignment(tx, user.id)) ?? { pool: null };
    if (before.pool === pool) return;
    await assignAccount(tx, user.id, pool);
    const about = { action: 'user.pool', subject: `user:${user.id}`, reason };
    await insertAudit(tx, { ...toAuditFields(admin), ...about, before: { pool: before.pool }, after: { pool } });
  });
  forgetPools(ctx.db);
  await wakeWorkers(ctx, await listReassignedJobs(ctx.db, { accountId: userId }));
  return getAssignment(ctx, userId);
}
