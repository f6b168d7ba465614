import { cancelSubscription } from '../billing/cancel-subscription.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { listDiscounts, spendDiscounts } from '../billing/discounts.ts';
import { draftRenewal } from '../billing/draft-renewal.ts';
import { getSubscriptionOfInvoice } from '../billing/find-invoice.ts';
import type { Invoice } from '../billing/make-invoice.ts';
import { createInvoice, finalizeInvoice } from '../billing/open-invoice.ts';
import { saveSubscription } from '../billing/save-subscription.ts';
import { type Subscription, withItem } from '../billing/subscription-items.ts';
import { voidInvoice } from '../billing/void-invoice.ts';
import type { Context } from '../context.ts';

/**
 * Starts the next period of a subscription with the draft of its invoice, or ends the subscription. While collection is
 * paused, the invoice is void.
 */
export function renewSubscription(context: Context, before: Subscription): void {
  if (before.cancel_at_period_end) {
    cancelSubscription(context, before);
    return;
  }
  const draft = draftRenewal(context, before);
  const period = draft.lines.data[0]?.period;
  const { pause_collection: pause } = saveSubscription(context, before, {
    discounts: spendDiscounts(context, before, listDiscounts(context, before)),
    items: withItem(before, { current_period_start: period?.start, current_period_end: period?.end }),
    latest_invoice: draft.id,
  });
  const invoice = createInvoice(context, draft);
  if (pause) voidInvoice(context, invoice);
}

/** Finalizes the draft of a renewal and collects it. */
export function advanceInvoice(context: Context, draft: Invoice): void {
  if (getSubscriptionOfInvoice(context, draft).pause_collection) {
    voidInvoice(context, draft);
    return;
  }
  const invoice = finalizeInvoice(context, draft);
  if (invoice.status === 'open') collectInvoice(context, invoice, { isAutomatic: true });
}
