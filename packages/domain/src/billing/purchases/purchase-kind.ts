import { billingRules } from '@uprez/contracts/policy/billing/billing';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { reserveCoupon } from '../coupons/reserve-coupon.ts';

export type Purchase = {
  priceId: string;
  email: string;
  publicUrl: string;
  coupon: { code: string; promotionCodeId: string; tier: Tier } | null;
  collectsTax: boolean;
  /** Address for tax and invoices. Null if Stripe's page asks for it, or if the buyer entered none. */
  billingAddress: BillingAddress | null;
};
export type PurchaseCall = Call<Purchase>;

/** Outcome of a purchase at Stripe. `paid` includes payments that haven't been synced yet. */
export type PurchaseEnd = 'paid' | 'ended';
export type PurchaseState<Offer> = { state: 'open'; offer: Offer } | { state: PurchaseEnd };

/**
 * One way to buy a plan or a pack. Its steps create what the customer pays at Stripe. The call then stays open until
 * the customer pays, but for at most `billingRules.purchaseHours`. `Offer`: what the browser needs for the payment.
 */
export type PurchaseKind<Offer> = CallKind<Purchase> & {
  slot: 'purchase' | 'pack';
  /** Whether the account can buy the same thing again after paying. */
  isRepeatable: boolean;
  /** Whether Stripe's page asks for the address that tax is computed from. */
  asksAddress: boolean;
  read: (ctx: CallContext, call: PurchaseCall) => Promise<PurchaseState<Offer>>;
  /** Ends the purchase at Stripe, unless it is paid. Safe to repeat. */
  close: (ctx: CallContext, call: PurchaseCall) => Promise<PurchaseEnd>;
};

/** Rules for buying a plan. An account can have only one open purchase of a plan, regardless of its kind. */
export const purchaseRules = {
  slot: 'purchase',
  isRepeatable: false,
  expiresS: billingRules.purchaseHours * 3_600,
  reserve: async (tx, { callId, accountId, request: { coupon } }) => {
    if (coupon) await reserveCoupon(tx, { code: coupon.code, tier: coupon.tier, accountId, callId });
  },
} as const satisfies Partial<PurchaseKind<unknown>>;
