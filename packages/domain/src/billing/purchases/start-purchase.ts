import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import { findUser } from '@uprez/db/queries/accounts/users';
import {
  type CallRow,
  claimCall,
  endCall,
  findOpenCall,
  releaseCallUntilExpiry,
} from '@uprez/db/queries/billing/billing-calls';
import { requestAccountSync } from '@uprez/db/queries/billing/billing-customers';
import type { PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { hasSubscription } from '@uprez/db/queries/billing/subscriptions';
import { type CallContext, leaseS } from '../calls/call-kind.ts';
import { completeCall, holdLease, openCall, releaseAttempt, runCall } from '../calls/run-call.ts';
import { makeStateError, toBillingError } from '../calls/stripe-errors.ts';
import { findTypedCoupon } from '../coupons/check-coupon.ts';
import { requireSyncedCoupon } from '../coupons/coupon-rules.ts';
import { readBillingSettings } from '../read-billing-settings.ts';
import { findPlanPrice, type WantedPrice } from './find-plan-price.ts';
import { formPurchaseKind } from './form-purchase-kind.ts';
import { hostedPurchaseKind, packPurchaseKind } from './hosted-purchase-kind.ts';
import type { Purchase, PurchaseCall, PurchaseKind } from './purchase-kind.ts';

export type Buyer = { id: string; email: string; emailVerified: boolean };
export type PurchaseInput = WantedPrice & {
  buyer: Buyer;
  /** Coupon code. Failed attempts are counted per account and per `ipAddress`. */
  coupon?: string | undefined;
  ipAddress: string;
  /** Address for tax and invoices. Required if tax is collected and Stripe's page doesn't ask for it. */
  billingAddress?: BillingAddress | undefined;
  publicUrl: string;
};

/**
 * Starts or continues the purchase of a plan. Charges nothing yet. Throws AppError: `email_unverified`,
 * `price_not_found`, `billing_not_configured`, `already_subscribed`, `billing_busy`, `billing_unavailable`,
 * `billing_address_invalid`, and the errors for an unusable coupon code.
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

type CouponCode = { code: string | undefined; accountId: string; ipAddress: string; tier: Tier };

/**
 * Finds the coupon for a code. Throws if the code is unusable. Called before the new purchase replaces an open one, so
 * an invalid code doesn't end the open purchase.
 */
async function findCoupon(
  ctx: CallContext,
  { code, accountId, ipAddress, tier }: CouponCode,
): Promise<Purchase['coupon']> {
  if (code === undefined) return null;
  const coupon = await findTypedCoupon(ctx, { code, guesser: { accountId, ipAddress } });
  const { promotionCodeId } = await requireSyncedCoupon(ctx.db, coupon, { accountId, tier });
  return { code: coupon.code, promotionCodeId, tier };
}

const waitMs = 20_000;
const pollMs = 100;

type Opening = { accountId: string; request: Purchase };

/**
 * Opens a purchase and returns what the browser needs for the payment. An account can have one open purchase in each
 * slot. A request with the same price, code, tax setting, and billing address continues the open purchase. Any other
 * request replaces it. Throws AppError `already_subscribed` if the open purchase was paid, `billing_busy`, or
 * `subscription_state` if the account is scheduled for deletion.
 */
export async function openPurchase<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, opening: Opening) {
  const user = await findUser(ctx.db, opening.accountId);
  if (user?.deletesAt)
    throw makeStateError('Your account is scheduled for deletion. Keep your account to buy something.');
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const offer = await tryPurchase(ctx, kind, opening);
    if (offer) return offer;
    if (performance.now() > untilMs) throw new AppError('billing_busy');
    await setTimeout(pollMs);
  }
}

/**
 * Tries to create or continue a purchase. Returns undefined if it must be tried again, because another request has
 * claimed the open purchase or the open purchase has just ended.
 */
async function tryPurchase<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, opening: Opening) {
  const opened = await openCall(ctx, kind, opening);
  if (opened) return await makeOffer(ctx, kind, opened);
  const open = await findOpenCall(ctx.db, { accountId: opening.accountId, slot: kind.slot });
  if (!open || open.isLeased) return undefined;
  const isSame = open.kind === kind.name && isSamePurchase(open.request, opening.request) && !open.isExpired;
  const offer = isSame && isMade(kind, open) ? await readOffer(ctx, kind, { ...open, ...opening }) : undefined;
  if (offer) return offer;
  const claimed = await claimCall(ctx.db, open.id, leaseS);
  if (!claimed) return undefined;
  if (isSame && !isMade(kind, claimed)) return await makeOffer(ctx, kind, claimed);
  await closePurchase(ctx, claimed, 'replaced');
  return undefined;
}

const isSamePurchase = (open: Partial<Purchase>, { priceId, coupon, collectsTax, billingAddress }: Purchase) =>
  open.priceId === priceId &&
  open.coupon?.code === coupon?.code &&
  (open.collectsTax ?? false) === collectsTax &&
  isDeepStrictEqual(open.billingAddress ?? null, billingAddress);
const isMade = ({ steps }: PurchaseKind<unknown>, { step }: CallRow) => step === steps.at(-1)?.name;

async function makeOffer<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, row: CallRow) {
  const call = await runCall(ctx, kind, row);
  await releaseCallUntilExpiry(ctx.db, call);
  return await readOffer(ctx, kind, call);
}

/** Returns undefined if the purchase has been paid or can no longer be paid. */
async function readOffer<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, call: PurchaseCall) {
  const read = await kind.read(ctx, call).catch((error: unknown) => {
    throw toBillingError(error);
  });
  return read.state === 'open' ? read.offer : undefined;
}

const kinds: Record<string, PurchaseKind<unknown>> = {
  [formPurchaseKind.name]: formPurchaseKind,
  [hostedPurchaseKind.name]: hostedPurchaseKind,
  [packPurchaseKind.name]: packPurchaseKind,
};

/**
 * Returns the kind of a stored purchase. Throws AppError `billing_busy` if a newer version stored the purchase and its
 * kind is unknown here.
 */
export function purchaseKindOf({ kind }: Pick<CallRow, 'kind'>): PurchaseKind<unknown> {
  const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!found) throw new AppError('billing_busy');
  return found;
}

/**
 * Ends a claimed purchase that has expired or is being replaced. Completes its steps first. Otherwise, a request in
 * flight could create something that stays open. Throws AppError `already_subscribed` if a plan purchase was paid.
 */
export async function closePurchase(ctx: CallContext, row: CallRow, reason: 'replaced' | 'expired'): Promise<void> {
  const kind = purchaseKindOf(row);
  const call = await runCall(ctx, kind, row);
  const end = await holdLease(ctx, call, () => kind.close(ctx, call)).catch(async (error: unknown) => {
    await releaseAttempt(ctx, call, error);
    throw toBillingError(error);
  });
  if (end === 'paid') {
    await completeCall(ctx, call);
    if (kind.isRepeatable) return;
    throw new AppError('already_subscribed');
  }
  await ctx.db.transaction().execute(async (tx) => {
    await requestAccountSync(tx, call.accountId);
    await endCall(tx, call, { state: 'failed', error: reason });
  });
}
