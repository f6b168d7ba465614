import { randomUUID } from 'node:crypto';
import type { NewSubscription } from '@uprez/contracts/schemas/billing';
import { getInvoice } from '@uprez/payments/invoices';
import { previewRenewal } from '@uprez/payments/previews';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { toBillingError } from '../calls/to-billing-error.ts';
import { presentBill } from '../present-bill.ts';
import { buyInForm } from './buy-in-form.ts';
import { type PurchaseInput, startPurchase } from './start-purchase.ts';

/**
 * Starts a subscription that the buyer pays in our form, with its first bill and the next one. It grants nothing until it is
 * paid. Throws the errors of `startPurchase`.
 */
export async function createSubscription(ctx: CallContext, input: PurchaseInput): Promise<NewSubscription> {
  const { price, offer } = await startPurchase(ctx, buyInForm, input);
  const { subscription, clientSecret } = offer;
  const { tier, interval, id: priceId, amount, currency } = price;
  const bills = await readBills(ctx, subscription).catch((error: unknown) => {
    throw toBillingError(error);
  });
  return {
    clientSecret: clientSecret.value,
    confirms: clientSecret.kind,
    plan: { tier, interval, priceId, price: { amount, currency } },
    ...bills,
  };
}

async function readBills({ payments }: CallContext, { id, latestInvoiceId, periodEnd }: Subscription) {
  // A preview changes nothing at Stripe, so its key isn't stored.
  const preview = { subscriptionId: id, idempotencyKey: `preview:${randomUUID()}` };
  const [{ invoice }, next] = await Promise.all([
    getInvoice(payments, latestInvoiceId ?? ''),
    previewRenewal(payments, preview),
  ]);
  return {
    bill: presentBill(invoice),
    next: { at: periodEnd.toISOString(), amount: next.due, currency: next.currency },
  };
}
