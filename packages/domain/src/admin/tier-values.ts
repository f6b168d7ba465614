import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { now } from '@uprez/db/times';

/**
 * The row's values for a tier. What comes back at the end of an override is what was there before the first of them;
 * it comes back with its billing cycle. Any other paid tier begins a cycle of its own.
 */
export function tierValues(user: UserRow, tier: Tier, endsAt?: Date) {
  const before = user.tierBefore
    ? { tier: user.tierBefore, anchor: user.anchorBefore }
    : { tier: user.tier, anchor: user.periodAnchor };
  const newAnchor = plans[tier].price > 0 ? now : null;
  const anchor = tier === user.tier ? user.periodAnchor : tier === before.tier ? before.anchor : newAnchor;
  const isOverride = endsAt !== undefined && tier !== before.tier;
  return {
    tier,
    period_anchor: anchor,
    tier_until: isOverride ? endsAt : null,
    tier_before: isOverride ? before.tier : null,
    anchor_before: isOverride ? before.anchor : null,
  };
}
