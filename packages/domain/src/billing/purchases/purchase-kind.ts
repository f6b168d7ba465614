import { billingRules } from '@uprez/contracts/policy/billing/billing';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { reserveCoupon } from '../coupons/reserve-coupon.ts';

export type Purchase = {
  /** Stripe's. */
  priceId: string;
  /** Of the account. */
  email: string;
  /** Origin of the web app. */
  publicUrl: string;
  /** The code that the buyer uses. */
  coupon: { code: string; promotionCodeId: string; tier: Tier } | null;
  /** Whether Stripe adds tax. */
  collectsTax: boolean;
  /** Where the buyer pays it, and what invoices say. Null: Stripe's page asks, or nothing was entered. */
  billingAddress: BillingAddress | null;
};
export type PurchaseCall = Call<Purchase>;

/** What became of a purchase. `paid`: also if it was paid after we last looked. */
export type PurchaseEnd = 'paid' | 'ended';
export type PurchaseState<Offer> = { state: 'open'; offer: Offer } | { state: PurchaseEnd };

/**
 * One way to buy a plan. Its steps make what the customer pays. The call then stays open until the payment, for
 * `billingRules.purchaseHours`. `Offer`: what the browser needs to pay.
 */
export type PurchaseKind<Offer> = CallKind<Purchase> & {
  slot: 'purchase' | 'pack';
  /** Whether it can be bought again once it is paid. */
  isRepeatable: boolean;
  /** Whether Stripe's page asks for the address that tax is computed from. */
  asksAddress: boolean;
  /** Reads from Stripe what became of it. */
  read: (ctx: CallContext, call: PurchaseCall) => Promise<PurchaseState<Offer>>;
  /** Ends it at Stripe, unless it is paid. Safe to repeat. */
  close: (ctx: CallContext, call: PurchaseCall) => Promise<PurchaseEnd>;
};

/** An account has one open purchase, whichever way it began. */
export const purchaseRules = {
  slot: 'purchase',
  isRepeatable: false,
  expiresS: billingRules.purchaseHours * 3_600,
  reserve: async (tx, { callId, accountId, request: { coupon } }) => {
    if (coupon) await reserveCoupon(tx, { code: coupon.code, tier: coupon.tier, accountId, callId });
  },
} as const satisfies Partial<PurchaseKind<unknown>>;
