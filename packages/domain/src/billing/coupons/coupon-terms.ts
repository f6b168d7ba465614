import type { Discount } from '@uprez/contracts/policy/billing/coupons';
import type { CouponTerms } from '@uprez/contracts/schemas/billing/coupons';
import type { CouponRow } from '@uprez/db/queries/coupons/coupons';

/** The ID of a coupon at Stripe. */
export const stripeIdOf = (id: string): string => `uprez_${id}`;

export const discountOf = ({ percent, amount }: Pick<CouponRow, 'percent' | 'amount'>): Discount =>
  percent === null ? { type: 'fixed', value: amount ?? 0 } : { type: 'percentage', value: percent };

/** What a coupon gives, with amounts in US dollars. */
export function termsOf(coupon: CouponRow): CouponTerms {
  const { code, description, duration, durationMonths } = coupon;
  const { type: discountType, value } = discountOf(coupon);
  const discountValue = discountType === 'fixed' ? value / 100 : value;
  return { code, discountType, discountValue, description, duration, durationMonths };
}
