import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import type { PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { hasSubscription } from '@uprez/db/queries/billing/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { requireSynced } from '../coupons/coupon-rules.ts';
import { findTypedCoupon } from '../coupons/find-typed-coupon.ts';
import { readBillingSettings } from '../read-billing-settings.ts';
import { findPlanPrice, type WantedPrice } from './find-plan-price.ts';
import { openPurchase } from './open-purchase.ts';
import type { Purchase, PurchaseKind } from './purchase-kind.ts';

export type Buyer = { id: string; email: string; emailVerified: boolean };
export type PurchaseInput = WantedPrice & {
  buyer: Buyer;
  /** Coupon code. Guesses are counted by account and `ipAddress`. */
  coupon?: string | undefined;
  ipAddress: string;
  /** Address for tax and invoices. Required if tax is collected and Stripe's page doesn't ask for it. */
  billingAddress?: BillingAddress | undefined;
  /** Origin of the web app. */
  publicUrl: string;
};

/**
 * Starts or continues the purchase of a plan. Nothing is charged yet. Throws AppError: `email_unverified`,
 * `price_not_found`, `billing_not_configured`, `already_subscribed`, `billing_busy`, `billing_unavailable`,
 * `billing_address_invalid`, and the errors of an unusable coupon code.
 */
export async function startPurchase<Offer>(
  ctx: CallContext,
  kind: PurchaseKind<Offer>,
  { buyer, publicUrl, coupon: code, ipAddress, billingAddress: typedAddress, ...wanted }: PurchaseInput,
): Promise<{ price: PlanPriceRow; offer: Offer }> {
  const { id: accountId, email, emailVerified } = buyer;
  if (!emailVerified) throw new AppError('email_unverified');
  const price = await findPlanPrice(ctx, { accountId, ...wanted });
  if (await hasSubscription(ctx.db, accountId)) throw new AppError('already_subscribed');
  const coupon = await findCoupon(ctx, { code, accountId, ipAddress, tier: price.tier });
  const { collectsTax } = await readBillingSettings(ctx.db);
  const needsAddress = collectsTax && !kind.asksAddress;
  if (needsAddress && !typedAddress) throw new AppError('billing_address_invalid');
  const billingAddress = (!kind.asksAddress && typedAddress) || null;
  const request = { priceId: price.id, email, publicUrl, coupon, collectsTax, billingAddress };
  return { price, offer: await openPurchase(ctx, kind, { accountId, request }) };
}

type Code = { code: string | undefined; accountId: string; ipAddress: string; tier: Tier };

/**
 * Finds the coupon of a code. Throws the errors of an unusable code before another purchase of the account is ended for
 * this one.
 */
async function findCoupon(ctx: CallContext, { code, accountId, ipAddress, tier }: Code): Promise<Purchase['coupon']> {
  if (code === undefined) return null;
  const coupon = await findTypedCoupon(ctx, { code, guesser: { accountId, ipAddress } });
  const { promotionCodeId } = await requireSynced(ctx.db, coupon, { accountId, tier });
  return { code: coupon.code, promotionCodeId, tier };
}
