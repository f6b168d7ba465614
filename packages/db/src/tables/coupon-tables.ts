import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated } from 'kysely';

/** A discount on subscriptions. Stripe has a copy, but this table decides who may use it. */
export type CouponsTable = {
  id: string;
  /** In upper case. */
  code: string;
  /** Either `percent` or `amount` in cents. */
  percent: number | null;
  amount: number | null;
  currency: string;
  description: string;
  duration: 'once' | 'months' | 'forever';
  durationMonths: number | null;
  /** Plans that it is for; empty: all. */
  tiers: Generated<Tier[]>;
  maxUses: number | null;
  /** Redemptions that aren't released. */
  uses: Generated<number>;
  /** Uses of one account. */
  perAccount: Generated<number>;
  expiresAt: Date | null;
  disabledAt: Date | null;
  /** Stripe's ID of the code; null: not at Stripe yet. */
  promotionCodeId: string | null;
  isActiveAtStripe: Generated<boolean>;
  /** Failed synchronizations since the last one that succeeded, when the next one may start, and the latest error. */
  failures: Generated<number>;
  notBefore: Generated<Date>;
  error: string | null;
  createdBy: string | null;
  createdAt: Generated<Date>;
};

/**
 * A use of a coupon: reserved when a purchase or a change of the plan starts, redeemed when it is paid, released when it ends
 * otherwise.
 */
export type CouponRedemptionsTable = {
  id: string;
  couponId: string;
  /** Null after the account was deleted. */
  accountId: string | null;
  /** Number of this use among those of the account. */
  slot: number;
  /** The purchase or the change: a row of `billing_calls`. */
  callId: string;
  /** Stripe's, once it is known. */
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
  /** The latest checkout link. The account with this email address may buy Enterprise once one was sent. */
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
