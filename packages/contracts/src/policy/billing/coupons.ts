export const discountTypes = ['percentage', 'fixed'] as const;
/** Durations of a discount: one bill, all bills within a number of months, or all bills. */
export const couponDurations = ['once', 'months', 'forever'] as const;
export const couponStates = ['active', 'disabled', 'expired', 'used_up'] as const;
export type CouponState = (typeof couponStates)[number];
export const couponSorts = ['-created', 'created'] as const;
export type CouponSort = (typeof couponSorts)[number];
export const redemptionStates = ['reserved', 'redeemed', 'released'] as const;
export type RedemptionState = (typeof redemptionStates)[number];

export const couponRules = {
  codeLength: { min: 3, max: 40 },
  descriptionLength: 200,
  maxPercent: 100,
  /** Maximum discount, in US dollars. */
  maxAmount: 10_000,
  maxMonths: 36,
  maxUses: 1_000_000,
  maxPerAccount: 100,
  /**
   * Limits for guessing codes. `accountGuesses` and `addressGuesses`: maximum number of unknown codes per account and
   * per IP address. Further attempts are blocked for `guessMinutes`. The count resets after a pause of the same length.
   */
  guessMinutes: 15,
  accountGuesses: 10,
  addressGuesses: 40,
} as const;

/** `value`: a percentage, or an amount in cents, depending on `type`. */
export type Discount = { type: (typeof discountTypes)[number]; value: number };

/** Returns the discount on a price in cents, at most the price itself. */
export const calculateDiscount = (price: number, { type, value }: Discount): number =>
  Math.min(price, type === 'percentage' ? Math.round((price * value) / 100) : value);
