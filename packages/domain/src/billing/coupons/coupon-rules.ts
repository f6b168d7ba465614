import { AppError } from '@uprez/contracts/errors/app-error';
import type { Discount } from '@uprez/contracts/policy/billing/coupons';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { CouponTerms } from '@uprez/contracts/schemas/billing/coupons';
import type { DbOrTx } from '@uprez/db/database';
import { type CouponRow, findCouponByCode } from '@uprez/db/queries/coupons/coupons';
import { countOwnUses, hasCodeOnSubscription } from '@uprez/db/queries/coupons/redemptions';
import type { PriceChange } from '@uprez/payments/subscription-changes';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { addMonths } from '../../usage/period.ts';

const couponErrorCodes = { disabled: 'coupon_disabled', expired: 'coupon_expired', used_up: 'coupon_used_up' } as const;

type CouponContext = { accountId?: string | undefined; tier?: Tier | undefined };

/**
 * Throws if an account can't use a coupon now. If `tier` is set, also checks that the coupon is valid for that plan.
 * Ignores the account's own reserved use, because the new purchase or change replaces the one that reserved it.
 */
export async function requireUsableCoupon(
  db: DbOrTx,
  coupon: CouponRow,
  { accountId, tier }: CouponContext,
): Promise<void> {
  const { id: couponId, state, tiers, maxUses, uses, perAccount } = coupon;
  const own = accountId ? await countOwnUses(db, { couponId, accountId }) : { redeemed: 0, reserved: 0 };
  const isUsedUp = maxUses !== null && uses - own.reserved >= maxUses;
  if (own.redeemed >= perAccount) throw new AppError('coupon_used');
  if (state !== 'active' && (state !== 'used_up' || isUsedUp)) throw new AppError(couponErrorCodes[state]);
  if (tier && tiers.length > 0 && !tiers.includes(tier)) throw new AppError('coupon_wrong_plan');
  if (accountId && (await hasCodeOnSubscription(db, accountId))) throw new AppError('coupon_second');
}

/** A coupon that exists at Stripe. */
export type SyncedCoupon = CouponRow & { promotionCodeId: string };

/**
 * Returns the coupon with the ID of its code at Stripe. Throws if the coupon can't be used now, or `coupon_not_ready`
 * if it doesn't exist at Stripe yet.
 */
export async function requireSyncedCoupon(db: DbOrTx, coupon: CouponRow, use: CouponContext): Promise<SyncedCoupon> {
  await requireUsableCoupon(db, coupon, use);
  const { promotionCodeId } = coupon;
  if (promotionCodeId === null) throw new AppError('coupon_not_ready');
  return { ...coupon, promotionCodeId };
}

export const stripeIdOf = (id: string): string => `uprez_${id}`;

export const discountOf = ({ percent, amount }: Pick<CouponRow, 'percent' | 'amount'>): Discount =>
  percent === null ? { type: 'fixed', value: amount ?? 0 } : { type: 'percentage', value: percent };

/** Returns the terms of a coupon. A fixed discount is in US dollars, not in cents. */
export function termsOf(coupon: CouponRow): CouponTerms {
  const { code, description, duration, durationMonths } = coupon;
  const { type: discountType, value } = discountOf(coupon);
  const discountValue = discountType === 'fixed' ? value / 100 : value;
  return { code, discountType, discountValue, description, duration, durationMonths };
}

type QuotedCouponUse = { code: string; accountId: string; tier: Tier };

/** Returns the coupon that a preview used. Throws if its code can no longer be used. */
export async function findQuotedCoupon({ db }: Needs<'db'>, { code, ...use }: QuotedCouponUse): Promise<SyncedCoupon> {
  const coupon = await findCouponByCode(db, code);
  if (!coupon) throw new AppError('coupon_not_found');
  return await requireSyncedCoupon(db, coupon, use);
}

/**
 * Returns the code to send to Stripe with the new price. Includes the IDs of the subscription's existing discounts to
 * keep them.
 */
export const toAddedCode = (
  { discounts }: Pick<Subscription, 'discounts'>,
  { promotionCodeId }: SyncedCoupon,
): NonNullable<PriceChange['code']> => ({ promotionCodeId, keptDiscountIds: discounts.map(({ id }) => id) });

export const toDiscount = ({ id, durationMonths }: SyncedCoupon, at: Date) => ({
  couponId: stripeIdOf(id),
  endsAt: durationMonths === null ? null : addMonths(at, durationMonths),
});
