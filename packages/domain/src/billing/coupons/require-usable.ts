import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { DbOrTx } from '@uprez/db/database';
import type { CouponRow } from '@uprez/db/queries/coupons/coupons';
import { countOwnUses, hasCodeOnSubscription } from '@uprez/db/queries/coupons/redemptions';

const errorOf = { disabled: 'coupon_disabled', expired: 'coupon_expired', used_up: 'coupon_used_up' } as const;

type Use = { accountId?: string | undefined; tier?: Tier | undefined };

/**
 * Throws the error of a coupon that an account can't use now for a plan. A use that the account has reserved counts as free,
 * because another purchase or change replaces the one that it is for.
 */
export async function requireUsableCoupon(db: DbOrTx, coupon: CouponRow, { accountId, tier }: Use): Promise<void> {
  const { id: couponId, state, tiers, maxUses, uses, perAccount } = coupon;
  const own = accountId ? await countOwnUses(db, { couponId, accountId }) : { redeemed: 0, reserved: 0 };
  const isUsedUp = maxUses !== null && uses - own.reserved >= maxUses;
  if (own.redeemed >= perAccount) throw new AppError('coupon_used');
  if (state !== 'active' && (state !== 'used_up' || isUsedUp)) throw new AppError(errorOf[state]);
  if (tier && tiers.length > 0 && !tiers.includes(tier)) throw new AppError('coupon_wrong_plan');
  if (accountId && (await hasCodeOnSubscription(db, accountId))) throw new AppError('coupon_second');
}

/** A coupon that Stripe has a copy of. */
export type SyncedCoupon = CouponRow & { promotionCodeId: string };

/** Throws the error of a coupon that can't be used now, or `coupon_not_ready` if it isn't at Stripe yet. */
export async function requireSynced(db: DbOrTx, coupon: CouponRow, use: Use): Promise<SyncedCoupon> {
  await requireUsableCoupon(db, coupon, use);
  const { promotionCodeId } = coupon;
  if (promotionCodeId === null) throw new AppError('coupon_not_ready');
  return { ...coupon, promotionCodeId };
}
