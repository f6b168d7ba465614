import { AppError } from '@uprez/contracts/errors/app-error';
import { listPackPrices } from '@uprez/db/queries/billing/prices';
import type { CallContext } from '../calls/call-kind.ts';
import { readBillingSettings } from '../read-billing-settings.ts';
import { buyHosted, buyPackKind } from './buy-hosted.ts';
import { openPurchase } from './open-purchase.ts';
import { type Buyer, type PurchaseInput, startPurchase } from './start-purchase.ts';

/** `pack`: its key. `publicUrl`: origin of the web app. */
type PackInput = { buyer: Buyer; pack: string; publicUrl: string };

/**
 * Returns the URL of the Stripe page to buy a pack. Nothing is charged yet. Throws AppError: `email_unverified`,
 * `pack_not_found`, `billing_busy`, `billing_unavailable`.
 */
export async function buyPack(ctx: CallContext, { buyer, pack, publicUrl }: PackInput): Promise<{ url: string }> {
  const { id: accountId, email, emailVerified } = buyer;
  if (!emailVerified) throw new AppError('email_unverified');
  const price = (await listPackPrices(ctx.db)).find((one) => one.pack === pack);
  if (!price) throw new AppError('pack_not_found');
  const { collectsTax } = await readBillingSettings(ctx.db);
  const request = { priceId: price.id, email, publicUrl, coupon: null, collectsTax, billingAddress: null };
  const { url } = await openPurchase(ctx, buyPackKind, { accountId, request });
  // Stripe leaves the URL out only once a session has ended.
  if (!url) throw new AppError('billing_unavailable');
  return { url };
}

/** Returns the URL of the Stripe page to buy a plan. Throws the errors of `startPurchase`. */
export async function createCheckoutSession(ctx: CallContext, input: PurchaseInput): Promise<{ url: string }> {
  const { url } = (await startPurchase(ctx, buyHosted, input)).offer;
  // Stripe leaves the URL out only once a session has ended.
  if (!url) throw new AppError('billing_unavailable');
  return { url };
}
