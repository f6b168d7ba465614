import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Tx } from '@uprez/db/database';
import { findCouponByCode } from '@uprez/db/queries/coupons/coupons';
import {
  hasCodeOnSubscription,
  hasRedeemedCode,
  hasReservedUse,
  insertRedemption,
  takeCoupon,
} from '@uprez/db/queries/coupons/redemptions';
import { uuidv7 } from 'uuidv7';
import { requireUsableCoupon } from './coupon-rules.ts';

/**
 * `code` is the coupon code as stored. `callId` is the ID of the purchase or change, which is inserted in the same
 * transaction.
 */
type CouponUse = { code: string; accountId: string; tier: Tier; callId: string };

/**
 * Reserves a coupon use for a purchase or change. Checks and counts the use in one conditional update. Returns the ID
 * of the code at Stripe. Throws the matching error for a code that can't be used, or `coupon_not_ready` if the code
 * doesn't exist at Stripe yet.
 */
export async function reserveCoupon(tx: Tx, { code, accountId, tier, callId }: CouponUse): Promise<string> {
  const taken = await takeCoupon(tx, { code, tier });
  if (!taken?.promotionCodeId) throw await findCouponError(tx, { code, accountId, tier });
  const { id: couponId, perAccount, promotionCodeId } = taken;
  if (await hasCodeOnSubscription(tx, accountId)) throw new AppError('coupon_second');
  const reserved = await insertRedemption(tx, { id: uuidv7(), couponId, accountId, callId, perAccount });
  if (!reserved) throw new AppError('coupon_used');
  return promotionCodeId;
}

async function findCouponError(tx: Tx, { code, ...use }: Omit<CouponUse, 'callId'>): Promise<AppError> {
  const coupon = await findCouponByCode(tx, code);
  if (!coupon) return new AppError('coupon_not_found');
  try {
    await requireUsableCoupon(tx, coupon, use);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  // The account may use the coupon, but another of its purchases holds the last use, or Stripe doesn't have the code
  // yet.
  return new AppError(coupon.promotionCodeId ? 'coupon_used_up' : 'coupon_not_ready');
}

/** A plan change. `code` is a coupon code in upper case, or null if none is used. */
type CodedChange = { subscriptionId: string; tier: Tier; code: string | null };

/**
 * Reserves a coupon use for a plan change, in the transaction that inserts the billing call. Throws the matching error
 * for a code that can't be used, or `billing_busy` if the account has another open reservation.
 */
export async function reserveChangeCoupon(
  tx: Tx,
  { callId, accountId, request }: { callId: string; accountId: string; request: CodedChange },
): Promise<void> {
  const { code, tier, subscriptionId } = request;
  if (!code) return;
  if (await hasRedeemedCode(tx, subscriptionId)) throw new AppError('coupon_second');
  // Allows only one open reservation. Two changes could both be paid, but a subscription can have only one code.
  if (await hasReservedUse(tx, accountId)) throw new AppError('billing_busy');
  await reserveCoupon(tx, { code, tier, accountId, callId });
}
