import { AppError } from '@uprez/contracts/errors/app-error';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { AdminUserRow } from '@uprez/db/queries/accounts/admin-users';
import { type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import { now } from '@uprez/db/times';
import { settlePlan } from '../billing/plan/settle-plan.ts';
import type { Needs } from '../context.ts';
import { requireOtherAccount } from './administrator.ts';
import { type AdminChange, changeUser } from './change-user.ts';

/** `expected`: the tier and its end date that the administrator saw. */
type TierChange = AdminChange & {
  tier: Tier;
  endsAt?: Date | undefined;
  expected?: { subscriptionTier: Tier; subscriptionEndsAt: string | null } | undefined;
};

/**
 * Overrides the tier that an account is billed for, until `endsAt` or permanently. Setting `free` without `endsAt`
 * removes the override, and the account gets the tier it pays for. Throws `own_account`, `invalid_parameter`, and the
 * errors of `changeUser`.
 */
export async function changeTier(
  ctx: Needs<'db'>,
  { admin, userId, reason, tier, endsAt, expected }: TierChange,
): Promise<AdminUserRow> {
  requireOtherAccount(admin, userId);
  return changeUser(ctx, {
    admin,
    userId,
    action: 'user.tier',
    reason,
    fieldsOf: (user) => ({
      subscriptionTier: user.tier,
      subscriptionEndsAt: user.overrideUntil?.toISOString() ?? null,
      // If the override equals the paid plan, only these two fields change.
      overrideTier: user.overrideTier,
      overrideReason: user.overrideReason,
    }),
    expected,
    change: async (tx, user) => {
      if (endsAt && !(await isInFuture(tx, endsAt))) throw new AppError('invalid_parameter', { param: 'endsAt' });
      await updateUser(tx, user.id, { ...toOverride(user, tier, endsAt), overrideReason: reason ?? null });
      await settlePlan(tx, user.id);
    },
  });
}

/** The billing cycle continues if the tier stays the same. Another paid tier starts a new cycle. */
function toOverride(user: UserRow, tier: Tier, endsAt: Date | undefined) {
  const newAnchor = currentPlans[tier].price > 0 ? now : null;
  const periodAnchor = tier === user.tier ? user.periodAnchor : newAnchor;
  if (tier === 'free' && !endsAt) return { overrideTier: null, overrideUntil: null, periodAnchor };
  return { overrideTier: tier, overrideUntil: endsAt ?? null, periodAnchor };
}
