export const discountTypes = ['percentage', 'fixed'] as const;
/** How long a discount lasts: one bill, all bills within so many months, or all bills. */
export const couponDurations = ['once', 'months', 'forever'] as const;
export const couponStates = ['active', 'disabled', 'expired', 'used_up'] as const;
export type CouponState = (typeof couponStates)[number];
/** Sort orders of the coupons. A minus means descending. The first one is the default. */
export const couponSorts = ['-created', 'created'] as const;
export type CouponSort = (typeof couponSorts)[number];
export const redemptionStates = ['reserved', 'redeemed', 'released'] as const;
export type RedemptionState = (typeof redemptionStates)[number];

export const couponRules = {
  codeLength: { min: 3, max: 40 },
  descriptionLength: 200,
  /** Percent. */
  maxPercent: 100,
  /** US dollars. */
  maxAmount: 10_000,
  maxMonths: 36,
  maxUses: 1_000_000,
  maxPerAccount: 100,
  /** Unknown codes within this time after which further ones are rejected: of an account, and of an IP address. */
  guessMinutes: 15,
  accountGuesses: 10,
  addressGuesses: 40,
} as const;

/** What a coupon takes off. `value`: percent, or cents. */
export type Discount = { type: (typeof discountTypes)[number]; value: number };

/** The discount on a price in cents: never more than the price. */
export const discountOn = (price: number, { type, value }: Discount): number =>
  Math.min(price, type === 'percentage' ? Math.round((price * value) / 100) : value);
