import { AppError } from '@uprez/contracts/errors/app-error';
import type { PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { hasSubscription } from '@uprez/db/queries/billing/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { findPlanPrice } from './find-plan-price.ts';
import { openPurchase } from './open-purchase.ts';
import type { PurchaseKind } from './purchase-kind.ts';

export type Buyer = { id: string; email: string; emailVerified: boolean };
export type PurchaseInput = {
  buyer: Buyer;
  /** A price ID of Stripe, or the key of a plan. */
  priceId: string;
  planName?: string | undefined;
  /** Origin of the web app. */
  publicUrl: string;
};

/**
 * Starts or continues the purchase of a plan. Nothing is charged yet. Throws AppError: `email_unverified`, `price_not_found`,
 * `billing_not_configured`, `already_subscribed`, `billing_busy`, `billing_unavailable`.
 */
export async function startPurchase<Offer>(
  ctx: CallContext,
  kind: PurchaseKind<Offer>,
  { buyer, publicUrl, ...wanted }: PurchaseInput,
): Promise<{ price: PlanPriceRow; offer: Offer }> {
  const { id: accountId, email, emailVerified } = buyer;
  if (!emailVerified) throw new AppError('email_unverified');
  const price = await findPlanPrice(ctx, wanted);
  if (await hasSubscription(ctx.db, accountId)) throw new AppError('already_subscribed');
  const request = { priceId: price.id, email, publicUrl };
  return { price, offer: await openPurchase(ctx, kind, { accountId, request }) };
}
