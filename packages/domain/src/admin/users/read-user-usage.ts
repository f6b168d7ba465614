import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import type { AdminUserUsage } from '@uprez/contracts/schemas/admin/users';
import { countUnexpiredApiKeys } from '@uprez/db/queries/api-keys/api-keys';
import { countUserJobs } from '@uprez/db/queries/jobs/admin/list-jobs';
import { countRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { sumStoredBytes } from '@uprez/db/queries/usage/usage';
import { findLockEnd } from '../../accounts/guesses.ts';
import { listSessions } from '../../accounts/sessions.ts';
import type { Needs } from '../../context.ts';
import { readQuota } from '../../usage/read-quota.ts';
import { requireUserId } from './list-user-history.ts';

/**
 * Returns a user's quota, storage, and lock, and how many jobs, API keys, and sessions the user has. Throws
 * `user_not_found`.
 */
export async function readUserUsage(ctx: Needs<'db' | 'settings'>, userId: string): Promise<AdminUserUsage> {
  const accountId = await requireUserId(ctx, userId);
  const [quota, storageUsed, jobs, rejectedImages, apiKeys, sessions, lockEnd] = await Promise.all([
    readQuota(ctx, { actor: { accountId } }),
    sumStoredBytes(ctx.db, accountId),
    countUserJobs(ctx.db, accountId),
    countRejectedImages(ctx.db, accountId),
    countUnexpiredApiKeys(ctx.db, accountId),
    listSessions(ctx, accountId),
    findLockEnd(ctx.db, accountId),
  ]);
  const lockedUntil = lockEnd?.toISOString() ?? null;
  const { storageBytes: storageLimit } = planOf(quota);
  return {
    quota: quota.meters,
    storageUsed,
    storageLimit,
    ...jobs,
    rejectedImages,
    apiKeys,
    sessions: sessions.length,
    lockedUntil,
  };
}
