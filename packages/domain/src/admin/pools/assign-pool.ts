import { AppError } from '@uprez/contracts/errors/app-error';
import type { AssignedPool } from '@uprez/contracts/schemas/admin/pools';
import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { assignAccount, findAssignment, listPools, listReassignedJobs } from '@uprez/db/queries/jobs/pools';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { forgetPools, wakeWorkers } from '../../jobs/wake-workers.ts';
import { auditedBy, lockForAdmin, requireNotAbove } from '../administrator.ts';
import type { AdminChange } from '../change-user.ts';

/** Returns the pools of an account. Throws `user_not_found`. */
export async function getAssignment({ db }: Needs<'db'>, userId: string): Promise<AssignedPool> {
  const assignment = isUuid(userId) ? await findAssignment(db, userId) : undefined;
  if (!assignment) throw new AppError('user_not_found');
  return assignment;
}

/**
 * Assigns an account to a pool, or to the pool of its plan if `pool` is null. Its waiting jobs move immediately. Throws
 * `invalid_parameter` for a pool that doesn't exist, `role_above_own`, and the errors of `lockForAdmin`.
 */
export async function assignPool(
  ctx: Needs<'db' | 'queue' | 'log'>,
  { admin, userId, pool, reason }: AdminChange & { pool: string | null },
): Promise<AssignedPool> {
  await ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockForAdmin(tx, admin, userId);
    requireNotAbove(actor, user.role);
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
    await insertAudit(tx, { ...auditedBy(admin), ...about, before: { pool: before.pool }, after: { pool } });
  });
  forgetPools(ctx.db);
  await wakeWorkers(ctx, await listReassignedJobs(ctx.db, { accountId: userId }));
  return getAssignment(ctx, userId);
}
