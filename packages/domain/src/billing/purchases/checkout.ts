import { AppError } from '@uprez/contracts/errors/app-error';
import type { NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { listPackPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { getInvoice } from '@uprez/payments/invoices';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { toBillingError } from '../calls/stripe-errors.ts';
import { balanceAfter, estimateNextBill } from '../estimate-next-bill.ts';
import { presentBill } from '../present-bill.ts';
import { readBillingSettings } from '../read-billing-settings.ts';
import { formPurchaseKind } from './form-purchase-kind.ts';
import { hostedPurchaseKind, packPurchaseKind } from './hosted-purchase-kind.ts';
import { type Buyer, openPurchase, type PurchaseInput, startPurchase } from './start-purchase.ts';

/**
 * Starts a subscription that the buyer pays for in our form, and returns its first and next bills. The subscription
 * grants nothing until it's paid. Throws the same errors as `startPurchase`.
 */
export async function createSubscription(ctx: CallContext, input: PurchaseInput): Promise<NewSubscription> {
  const { price, offer } = await startPurchase(ctx, formPurchaseKind, input);
  const { subscription, clientSecret } = offer;
  const { tier, interval, id: priceId, amount, currency } = price;
  const bills = await readBills(ctx, subscription, price).catch((error: unknown) => {
    throw toBillingError(error);
  });
  return {
    clientSecret: clientSecret.value,
    confirms: clientSecret.kind,
    plan: { tier, interval, priceId, price: { amount, currency } },
    ...bills,
  };
}

/**
 * Reads the first bill and estimates the next one. Previewing the next bill at Stripe would be another request that
 * could fail.
 */
async function readBills(ctx: CallContext, subscription: Subscription, price: PlanPriceRow) {
  const { latestInvoiceId, discounts, periodEnd: at } = subscription;
  const { invoice } = await getInvoice(ctx.payments, latestInvoiceId ?? '');
  const next = { like: invoice, subscription, discounts, price, at, balance: balanceAfter(invoice) };
  return {
    bill: await presentBill(ctx, invoice),
    next: { at: at.toISOString(), amount: await estimateNextBill(ctx, next), currency: price.currency },
  };
}

/** `pack` is the key of the pack. `publicUrl` is the origin of the web app. */
type PackInput = { buyer: Buyer; pack: string; publicUrl: string };

/**
 * Returns the URL of the Stripe page for buying a pack. Nothing is charged yet. Throws AppError `email_unverified`,
 * `pack_not_found`, `billing_busy`, or `billing_unavailable`, among others.
 */
export async function createPackCheckout(
  ctx: CallContext,
  { buyer, pack, publicUrl }: PackInput,
): Promise<{ url: string }> {
  const { id: accountId, email, emailVerified } = buyer;
  if (!emailVerified) throw new AppError('email_unverified');
  const price = (await listPackPrices(ctx.db)).find((one) => one.pack === pack);
  if (!price) throw new AppError('pack_not_found');
  const { collectsTax } = await readBillingSettings(ctx.db);
  const request = { priceId: price.id, email, publicUrl, coupon: null, collectsTax, billingAddress: null };
  const { url } = await openPurchase(ctx, packPurchaseKind, { accountId, request });
  // Stripe omits the URL only after a session has ended.
  if (!url) throw new AppError('billing_unavailable');
  return { url };
}

/** Returns the URL of the Stripe page for buying a plan. Throws the same errors as `startPurchase`. */
export async function createCheckoutSession(ctx: CallContext, input: PurchaseInput): Promise<{ url: string }> {
  const { url } = (await startPurchase(ctx, hostedPurchaseKind, input)).offer;
  // Stripe omits the URL only after a session has ended.
  if (!url) throw new AppError('billing_unavailable');
  return { url };
}
