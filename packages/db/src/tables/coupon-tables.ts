import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated } from 'kysely';

/** A discount on subscriptions. Stripe has a copy, but this table decides who may use it. */
export type CouponsTable = {
  id: string;
  /** In uppercase. */
  code: string;
  /** Either `percent` or `amount` is set. `amount`: in cents. */
  percent: number | null;
  amount: number | null;
  currency: string;
  description: string;
  duration: 'once' | 'months' | 'forever';
  durationMonths: number | null;
  /** Plans that the coupon applies to. Empty means all. */
  tiers: Generated<Tier[]>;
  maxUses: number | null;
  /** Number of redemptions that haven't been released. */
  uses: Generated<number>;
  perAccount: Generated<number>;
  expiresAt: Date | null;
  disabledAt: Date | null;
  /** ID of Stripe's promotion code. Null until the code is created at Stripe. */
  promotionCodeId: string | null;
  isActiveAtStripe: Generated<boolean>;
  /**
   * Number of failed syncs since the last successful sync, the earliest time of the next sync, and the latest error.
   */
  failures: Generated<number>;
  notBefore: Generated<Date>;
  error: string | null;
  createdBy: string | null;
  createdAt: Generated<Date>;
};

/**
 * A redemption of a coupon. It is reserved when a purchase or a plan change starts, redeemed when the purchase or
 * change is paid, and released when it ends without payment.
 */
export type CouponRedemptionsTable = {
  id: string;
  couponId: string;
  /** Null after the account was deleted. */
  accountId: string | null;
  /** Number of this redemption among the account's redemptions of the coupon. */
  slot: number;
  /** The purchase or plan change, a row of `billing_calls`. */
  callId: string;
  /** Stripe's subscription ID. Null until it is known. */
  subscriptionId: string | null;
  reservedAt: Generated<Date>;
  redeemedAt: Date | null;
  releasedAt: Date | null;
};

/** An inquiry about Enterprise, or an email address that an administrator sent a checkout link to. */
export type LeadsTable = {
  id: string;
  accountId: string | null;
  name: string;
  email: string;
  company: string;
  volume: string;
  message: string;
  /**
   * When the latest checkout link was sent. Once a link has been sent, the account with this email address may buy
   * Enterprise.
   */
  linkSentAt: Date | null;
  linkInterval: 'month' | 'year' | null;
  linkSentBy: string | null;
  createdAt: Generated<Date>;
};

export type CouponTables = {
  couponRedemptions: CouponRedemptionsTable;
  coupons: CouponsTable;
  leads: LeadsTable;
};
