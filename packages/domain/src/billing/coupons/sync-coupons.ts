import { randomUUID } from 'node:crypto';
import {
  type CouponToSync,
  completeCouponSync,
  failCouponSync,
  listCouponsToSync,
} from '@uprez/db/queries/coupons/coupons';
import {
  createCoupon,
  createPromotionCode,
  findCoupon,
  listPromotionCodes,
  type PromotionCode,
  setPromotionCodeActive,
} from '@uprez/payments/coupons';
import { PaymentError } from '@uprez/payments/payment-error';
import type { Needs } from '../../context.ts';
import { computeRetryDelayS } from '../calls/stripe-errors.ts';
import { productIdOf } from '../catalog.ts';
import { stripeIdOf } from './coupon-rules.ts';

/**
 * Creates new coupons at Stripe, and activates or deactivates existing ones. Retries failed coupons later. Returns the
 * number of synced coupons. Idempotent, because existing coupons at Stripe are found by their IDs and codes.
 */
export async function syncCoupons(ctx: Needs<'db' | 'payments' | 'log'>): Promise<number> {
  let count = 0;
  for (const coupon of await listCouponsToSync(ctx.db))
    try {
      await syncCoupon(ctx, coupon);
      count += 1;
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      const delayS = computeRetryDelayS(error, coupon.failures);
      ctx.log.warn({ err: error, couponId: coupon.id, delayS }, 'synchronizing a coupon failed, will retry');
      await failCouponSync(ctx.db, coupon.id, { delayS, error: error.message });
    }
  return count;
}

async function syncCoupon(ctx: Needs<'db' | 'payments'>, coupon: CouponToSync): Promise<void> {
  await ensureCoupon(ctx, coupon);
  const promotionCode = await ensurePromotionCode(ctx, coupon);
  const { id: promotionCodeId, isActive } = promotionCode;
  if (isActive !== coupon.isWanted) {
    const idempotencyKey = `coupon:${randomUUID()}`;
    await setPromotionCodeActive(ctx.payments, { promotionCodeId, isActive: coupon.isWanted, idempotencyKey });
  }
  await completeCouponSync(ctx.db, coupon.id, { promotionCodeId, isActiveAtStripe: coupon.isWanted });
}

async function ensureCoupon({ payments }: Needs<'payments'>, coupon: CouponToSync): Promise<void> {
  const { id, failures, description, percent, amount, currency, duration, durationMonths: months, tiers } = coupon;
  const couponId = stripeIdOf(id);
  if (coupon.promotionCodeId !== null || (await findCoupon(payments, couponId))) return;
  await createCoupon(payments, {
    couponId,
    // Stripe's maximum length, in characters.
    name: description.slice(0, 40),
    discount: percent === null ? { amount: amount ?? 0, currency } : { percent },
    duration: duration === 'months' ? { kind: 'months', months: months ?? 1 } : { kind: duration },
    productIds: tiers.map(productIdOf),
    idempotencyKey: `coupon:${id}:${failures}`,
  });
}

async function ensurePromotionCode(
  { payments }: Needs<'payments'>,
  { id, code, failures }: CouponToSync,
): Promise<PromotionCode> {
  const couponId = stripeIdOf(id);
  const { items } = await listPromotionCodes(payments, { couponId });
  const known = items.find((one) => one.code === code);
  return (
    known ??
    (await createPromotionCode(payments, { couponId, code, idempotencyKey: `promotion-code:${id}:${failures}` }))
  );
}
