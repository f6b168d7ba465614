import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { AdminUserRow } from '@uprez/db/queries/accounts/admin-users';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { isToCome } from '@uprez/db/queries/usage/allowances';
import type { Needs } from '../context.ts';
import { ensurePeriod } from '../usage/ensure-period.ts';
import type { Administrator } from './administrator.ts';
import { changeUser } from './change-user.ts';
import { tierValues } from './tier-values.ts';

/** `endsAt`: the tier of before comes back then. */
export type TierChange = {
  userId: string;
  tier: Tier;
  reason?: string | undefined;
  endsAt?: Date | undefined;
};

/**
 * Put an account on any tier, for good or until a moment. In force at once: limits and weight are read from the account
 * with every call and every claim, the new plan's units take the place of the old one's; jobs that were planned before
 * keep their plan. Throws `user_not_found`, and `invalid_parameter` for an end in the past.
 */
export const changeTier = (
  ctx: Needs<'db'>,
  { admin, userId, tier, reason, endsAt }: { admin: Administrator } & TierChange,
): Promise<AdminUserRow> =>
  changeUser(ctx, {
    admin,
    userId,
    action: 'user.tier',
    reason,
    fieldsOf: (user) => ({ subscriptionTier: user.tier, subscriptionEndsAt: user.tierUntil?.toISOString() ?? null }),
    change: async (tx, user) => {
      if (endsAt && !(await isToCome(tx, endsAt))) throw new AppError('invalid_parameter', { param: 'endsAt' });
      await updateUser(tx, user.id, { ...tierValues(user, tier, endsAt), tierReason: reason ?? null });
      await ensurePeriod(tx, user.id);
    },
  });
