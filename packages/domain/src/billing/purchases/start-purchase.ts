import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing';
import type { PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { hasSubscription } from '@uprez/db/queries/billing/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { findTypedCoupon } from '../coupons/find-typed-coupon.ts';
import { requireSynced } from '../coupons/require-usable.ts';
import { readBillingSettings } from '../read-billing-settings.ts';
import { findPlanPrice, type WantedPrice } from './find-plan-price.ts';
import { openPurchase } from './open-purchase.ts';
import type { Purchase, PurchaseKind } from './purchase-kind.ts';

export type Buyer = { id: string; email: string; emailVerified: boolean };
export type PurchaseInput = WantedPrice & {
  buyer: Buyer;
  /** A coupon's code. `address`: the IP address that its guesses are counted by. */
  coupon?: string | undefined;
  address: string;
  /** Where the buyer pays tax, if it is collected and no page of Stripe asks. */
  billingAddress?: BillingAddress | undefined;
  /** Origin of the web app. */
  publicUrl: string;
};

/**
 * Starts or continues the purchase of a plan. Nothing is charged yet. Throws AppError: `email_unverified`, `price_not_found`,
 * `billing_not_configured`, `already_subscribed`, `billing_busy`, `billing_unavailable`, `billing_address_invalid`, and those of a code that can't be used.
 */
export async function startPurchase<Offer>(
  ctx: CallContext,
  kind: PurchaseKind<Offer>,
  { buyer, publicUrl, coupon: code, address, billingAddress, ...wanted }: PurchaseInput,
): Promise<{ price: PlanPriceRow; offer: Offer }> {
  const { id: accountId, email, emailVerified } = buyer;
  if (!emailVerified) throw new AppError('email_unverified');
  const price = await findPlanPrice(ctx, { accountId, ...wanted });
  if (await hasSubscription(ctx.db, accountId)) throw new AppError('already_subscribed');
  const coupon = await findCoupon(ctx, { code, accountId, address, tier: price.tier });
  const { collectsTax } = await readBillingSettings(ctx.db);
  const needsAddress = collectsTax && !kind.asksAddress;
  if (needsAddress && !billingAddress) throw new AppError('billing_address_invalid');
  const taxAddress = needsAddress && billingAddress ? billingAddress : null;
  const request = { priceId: price.id, email, publicUrl, coupon, collectsTax, address: taxAddress };
  return { price, offer: await openPurchase(ctx, kind, { accountId, request }) };
}

type Code = { code: string | undefined; accountId: string; address: string; tier: Tier };

/** Throws the errors of a code that can't be used, before another purchase of the account is ended for this one. */
async function findCoupon(ctx: CallContext, { code, accountId, address, tier }: Code): Promise<Purchase['coupon']> {
  if (code === undefined) return null;
  const coupon = await findTypedCoupon(ctx, { code, guesser: { accountId, address } });
  const { promotionCodeId } = await requireSynced(ctx.db, coupon, { accountId, tier });
  return { code: coupon.code, promotionCodeId, tier };
}
