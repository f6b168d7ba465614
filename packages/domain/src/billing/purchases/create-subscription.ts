import type { NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import type { PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { getInvoice } from '@uprez/payments/invoices';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { toBillingError } from '../calls/to-billing-error.ts';
import { balanceAfter, estimateNextBill } from '../estimate-next-bill.ts';
import { presentBill } from '../present-bill.ts';
import { buyInForm } from './buy-in-form.ts';
import { type PurchaseInput, startPurchase } from './start-purchase.ts';

/**
 * Starts a subscription that the buyer pays in our form, and returns its first and next bills. It grants nothing until
 * it's paid. Throws the errors of `startPurchase`.
 */
export async function createSubscription(ctx: CallContext, input: PurchaseInput): Promise<NewSubscription> {
  const { price, offer } = await startPurchase(ctx, buyInForm, input);
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

/** Reads the first bill and computes the next one, because a preview would be another request that could fail. */
async function readBills(ctx: CallContext, subscription: Subscription, price: PlanPriceRow) {
  const { latestInvoiceId, discounts, periodEnd: at } = subscription;
  const { invoice } = await getInvoice(ctx.payments, latestInvoiceId ?? '');
  const next = { like: invoice, subscription, discounts, price, at, balance: balanceAfter(invoice) };
  return {
    bill: await presentBill(ctx, invoice),
    next: { at: at.toISOString(), amount: await estimateNextBill(ctx, next), currency: price.currency },
  };
}
