import type { Tier } from '@uprez/contracts/plans';
import type { AdminUserRow } from '@uprez/db/queries/admin-users';
import { updateUser } from '@uprez/db/queries/users';
import type { Needs } from '../context.ts';
import type { Administrator } from './administrator.ts';
import { changeUser } from './change-user.ts';

export type TierChange = { userId: string; tier: Tier; reason?: string | undefined };

/**
 * Put an account on any tier. In force at once: limits and weight are read from the account with every call and every
 * claim; jobs that were planned before keep their plan. Throws `user_not_found`.
 */
export const changeTier = (
  ctx: Needs<'db'>,
  admin: Administrator,
  { userId, tier, reason }: TierChange,
): Promise<AdminUserRow> =>
  changeUser(ctx, admin, {
    userId,
    action: 'user.tier',
    reason,
    fieldsOf: (user) => ({ subscriptionTier: user.tier }),
    change: (tx, user) => updateUser(tx, user.id, { tier }),
  });
