import { AppError } from '@uprez/contracts/errors/app-error';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Tx } from '@uprez/db/database';
import type { AdminUserRow } from '@uprez/db/queries/accounts/admin-users';
import { listEndedOverrides, lockUser, type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { isToCome } from '@uprez/db/queries/usage/allowances';
import { now } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { ensurePeriod } from '../usage/ensure-period.ts';
import { type AdminChange, changeUser } from './change-user.ts';

/** Set the tier of an account, until `endsAt` or permanently. Throws `user_not_found` or `invalid_parameter`. */
export const changeTier = (
  ctx: Needs<'db'>,
  { admin, userId, reason, tier, endsAt }: AdminChange & { tier: Tier; endsAt?: Date | undefined },
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

/** Column values for a tier. The end of an override restores the tier and billing cycle before the first override. */
export function tierValues(user: UserRow, tier: Tier, endsAt?: Date) {
  const before = user.tierBefore
    ? { tier: user.tierBefore, anchor: user.anchorBefore }
    : { tier: user.tier, anchor: user.periodAnchor };
  const newAnchor = plans[tier].price > 0 ? now : null;
  const anchor = tier === user.tier ? user.periodAnchor : tier === before.tier ? before.anchor : newAnchor;
  const isOverride = endsAt !== undefined && tier !== before.tier;
  return {
    tier,
    periodAnchor: anchor,
    tierUntil: isOverride ? endsAt : null,
    tierBefore: isOverride ? before.tier : null,
    anchorBefore: isOverride ? before.anchor : null,
  };
}

/** Restore the previous tier of accounts whose override has ended. Returns how many. Safe to repeat. */
export async function endTierOverrides(ctx: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const userId of await listEndedOverrides(ctx.db)) {
    const tier = await ctx.db.transaction().execute((tx) => endOverride(tx, userId));
    if (!tier) continue;
    ctx.log.info({ userId, tier }, 'tier override ended');
    count += 1;
  }
  return count;
}

/** The restored tier. Undefined when the override has changed meanwhile. */
async function endOverride(tx: Tx, userId: string) {
  const user = await lockUser(tx, userId);
  if (!user?.tierUntil || !user.tierBefore || (await isToCome(tx, user.tierUntil))) return undefined;
  await updateUser(tx, userId, { ...tierValues(user, user.tierBefore), tierReason: null });
  await ensurePeriod(tx, userId);
  return user.tierBefore;
}
