import type { CouponTerms } from '../schemas/billing/coupons.ts';
import { formatMoney, pluralize } from './format.ts';

type Terms = Pick<CouponTerms, 'discountType' | 'discountValue' | 'duration' | 'durationMonths'>;

/** Describes the discount of a coupon: `20% off for 3 months`. */
export function describeDiscount({ discountType, discountValue, duration, durationMonths }: Terms): string {
  const discount =
    discountType === 'percentage'
      ? `${discountValue}%`
      : formatMoney({ amount: Math.round(discountValue * 100), currency: 'usd' });
  const time = {
    once: 'one bill',
    months: `for ${pluralize(durationMonths ?? 0, 'month')}`,
    forever: 'every bill',
  };
  return `${discount} off ${time[duration]}`;
}
