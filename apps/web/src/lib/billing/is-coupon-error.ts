import { hasErrorCode } from '../api/api-errors.ts';

const couponErrors = [
  'coupon_not_found',
  'coupon_expired',
  'coupon_used_up',
  'coupon_disabled',
  'coupon_wrong_plan',
  'coupon_used',
  'coupon_second',
  'coupon_not_ready',
  'coupon_scheduled',
] as const;

/** Whether a request failed because of its coupon code. */
export const isCouponError = (error: unknown): boolean => couponErrors.some((code) => hasErrorCode(error, code));
