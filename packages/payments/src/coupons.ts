import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, type Page, type PageInput, sendOrUndefined } from './transport/calls.ts';
import { appName, centsField, currencyField, idField } from './transport/fields.ts';

export type Coupon = z.output<typeof couponSchema>;
export type PromotionCode = z.output<typeof promotionCodeSchema>;
/** `percent`: from 0 to 100. `amount`: in cents. */
export type Discount = { percent: number } | { amount: number; currency: string };
export type CouponDuration = { kind: 'once' | 'forever' } | { kind: 'months'; months: number };

const couponSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    percent_off: z.number().nullable(),
    amount_off: centsField.nullable(),
    currency: currencyField.nullable(),
    duration: z.enum(['once', 'repeating', 'forever']),
    duration_in_months: z.int().nullable(),
    valid: z.boolean(),
    applies_to: z.object({ products: z.array(z.string()) }).nullish(),
  })
  .transform(
    (
      coupon,
      context,
    ): {
      id: string;
      name: string | null;
      discount: Discount;
      duration: CouponDuration;
      isValid: boolean;
      /**
       * Products that the coupon applies to, or empty for all products. Always empty unless the coupon was read with
       * `findCoupon`.
       */
      productIds: readonly string[];
    } => {
      const { id, name, valid: isValid, applies_to: scope } = coupon;
      const discount = toDiscount(coupon);
      const duration = toDuration(coupon);
      if (discount && duration) return { id, name, discount, duration, isValid, productIds: scope?.products ?? [] };
      context.addIssue({ code: 'custom', message: 'no discount or duration' });
      return z.NEVER;
    },
  );
const couponCalls = makeCalls(couponSchema);

type Reply = { percent_off: number | null; amount_off: number | null; currency: string | null };
function toDiscount({ percent_off: percent, amount_off: amount, currency }: Reply): Discount | undefined {
  if (percent !== null) return { percent };
  return amount !== null && currency !== null ? { amount, currency } : undefined;
}

type DurationReply = { duration: 'once' | 'repeating' | 'forever'; duration_in_months: number | null };
function toDuration({ duration, duration_in_months: months }: DurationReply): CouponDuration | undefined {
  if (duration !== 'repeating') return { kind: duration };
  return months === null ? undefined : { kind: 'months', months };
}

export type NewCoupon = IdempotentInput & {
  couponId: string;
  name: string;
  discount: Discount;
  duration: CouponDuration;
  /** Empty for all products. */
  productIds: readonly string[];
};

/**
 * Creates a coupon with a fixed ID. Our database decides who may use the coupon, so Stripe's limits for redemptions and
 * dates aren't used.
 */
export function createCoupon(payments: Payments, input: NewCoupon): Promise<Coupon> {
  const { couponId, name, discount, duration, productIds } = input;
  return couponCalls.post(payments, input, (stripe, options) =>
    stripe.coupons.create(
      {
        id: couponId,
        name,
        ...('percent' in discount
          ? { percent_off: discount.percent }
          : { amount_off: discount.amount, currency: discount.currency }),
        ...(duration.kind === 'months'
          ? { duration: 'repeating', duration_in_months: duration.months }
          : { duration: duration.kind }),
        ...(productIds.length > 0 && { applies_to: { products: [...productIds] } }),
        metadata: { app: appName },
      },
      options,
    ),
  );
}

export const findCoupon = (payments: Payments, couponId: string): Promise<Coupon | undefined> =>
  couponCalls.find(payments, (stripe) => stripe.coupons.retrieve(couponId, { expand: ['applies_to'] }));

/** Deletes a coupon. Existing discounts remain. Does nothing if the coupon is already deleted. */
export async function deleteCoupon(payments: Payments, couponId: string): Promise<void> {
  await sendOrUndefined(payments, (stripe) => stripe.coupons.del(couponId));
}

const promotionCodeSchema = z
  .object({
    id: z.string(),
    code: z.string(),
    active: z.boolean(),
    promotion: z.object({ coupon: idField.nullable() }),
  })
  .transform(({ id, code, active, promotion }) => ({ id, code, isActive: active, couponId: promotion.coupon }));
const promotionCodeCalls = makeCalls(promotionCodeSchema);

export function createPromotionCode(
  payments: Payments,
  input: IdempotentInput & { couponId: string; code: string },
): Promise<PromotionCode> {
  const { couponId, code } = input;
  return promotionCodeCalls.post(payments, input, (stripe, options) =>
    stripe.promotionCodes.create(
      { promotion: { type: 'coupon', coupon: couponId }, code, metadata: { app: appName } },
      options,
    ),
  );
}

export function setPromotionCodeActive(
  payments: Payments,
  input: IdempotentInput & { promotionCodeId: string; isActive: boolean },
): Promise<PromotionCode> {
  const { promotionCodeId, isActive } = input;
  return promotionCodeCalls.post(payments, input, (stripe, options) =>
    stripe.promotionCodes.update(promotionCodeId, { active: isActive }, options),
  );
}

export const listPromotionCodes = (
  payments: Payments,
  { couponId, after }: PageInput & { couponId: string },
): Promise<Page<PromotionCode>> =>
  promotionCodeCalls.list(payments, { after }, (stripe, page) =>
    stripe.promotionCodes.list({ coupon: couponId, ...page }),
  );
