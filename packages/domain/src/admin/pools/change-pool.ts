import { AppError } from '@uprez/contracts/errors/app-error';
import { type PoolFallback, poolNamePattern } from '@uprez/contracts/policy/admin/worker-pools';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Tx } from '@uprez/db/database';
import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { assignPlans, deletePoolRow, listPools, listReassignedJobs, upsertPool } from '@uprez/db/queries/jobs/pools';
import type { Needs } from '../../context.ts';
import { forgetPools, wakeWorkers } from '../../jobs/wake-workers.ts';
import { type Administrator, auditedBy, lockAdmin } from '../administrator.ts';
import { changedFields } from '../change-user.ts';

type PoolContext = Needs<'db' | 'queue' | 'log'>;
type PoolChange = { admin: Administrator; name: string; reason?: string | undefined };
type PoolOptions = { fallback: PoolFallback; tiers: readonly Tier[] };

/** Creates or changes a pool. Waiting jobs move immediately. Throws `not_found` for an invalid name. */
export async function putPool(ctx: PoolContext, { admin, name, reason, ...options }: PoolChange & PoolOptions) {
  if (!poolNamePattern.test(name)) throw new AppError('not_found');
  const tiers = [...new Set(options.tiers)].sort();
  const { fallback } = options;
  const before = await ctx.db.transaction().execute(async (tx) => {
    const held = await lockPool(tx, admin, name);
    const changed = changedFields(
      { fallback: held?.fallback ?? null, plans: held?.tiers ?? [] },
      { fallback, plans: tiers },
    );
    if (!changed) return held;
    await upsertPool(tx, name, fallback);
    await assignPlans(tx, name, tiers);
    await insertAudit(tx, { ...auditedBy(admin), action: 'pool.change', subject: `pool:${name}`, reason, ...changed });
    return held;
  });
  forgetPools(ctx.db);
  await wakeWorkers(ctx, await listReassignedJobs(ctx.db, { pool: name, tiers: [...tiers, ...(before?.tiers ?? [])] }));
}

/**
 * Deletes a pool and its assignments. Its waiting jobs move to the pool of their account's plan, or to shared workers.
 * Throws `not_found`.
 */
export async function deletePool(ctx: PoolContext, { admin, name, reason }: PoolChange): Promise<void> {
  const jobs = await ctx.db.transaction().execute(async (tx) => {
    const held = await lockPool(tx, admin, name);
    if (!held) throw new AppError('not_found');
    const waiting = await listReassignedJobs(tx, { pool: name });
    await deletePoolRow(tx, name);
    const { fallback, tiers: plans, accounts } = held;
    const about = { action: 'pool.delete', subject: `pool:${name}`, reason };
    await insertAudit(tx, { ...auditedBy(admin), ...about, before: { fallback, plans, accounts }, after: {} });
    return waiting;
  });
  await wakeWorkers(ctx, jobs);
}

/**
 * Returns a pool, with all pools locked so that one administrator at a time changes them. Undefined if the pool doesn't
 * exist.
 */
async function lockPool(tx: Tx, admin: Administrator, name: string) {
  await lockAdmin(tx, admin);
  await lockSettings(tx, 'pools');
  return (await listPools(tx)).find((pool) => pool.name === name);
}
