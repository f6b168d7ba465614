import { cancelSubscription } from '../billing/cancel-subscription.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { listDiscounts, spendDiscounts } from '../billing/discounts.ts';
import { draftRenewal } from '../billing/draft-renewal.ts';
import { expirePendingUpdate } from '../billing/expire-pending-update.ts';
import { getSubscriptionOfInvoice } from '../billing/find-invoice.ts';
import type { Invoice } from '../billing/make-invoice.ts';
import { createInvoice, finalizeInvoice } from '../billing/open-invoice.ts';
import { saveSubscription } from '../billing/save-subscription.ts';
import { advanceSchedule, applyNextPhase } from '../billing/schedules.ts';
import { type Subscription, withItem } from '../billing/subscription-items.ts';
import { voidInvoice } from '../billing/void-invoice.ts';
import type { Context } from '../context.ts';

/**
 * Starts the next period of a subscription with the draft of its invoice, or ends the subscription. While collection is
 * paused, the invoice is void.
 */
export function renewSubscription(context: Context, subscription: Subscription): void {
  // A change that is paid later would move the period back.
  const before = subscription.pending_update ? expirePendingUpdate(context, subscription) : subscription;
  if (before.cancel_at_period_end) {
    cancelSubscription(context, before);
    return;
  }
  const next = applyNextPhase(context, before);
  const draft = draftRenewal(context, next);
  const { start, end } = draft.lines.data[0]?.period ?? { start: draft.period_end, end: draft.period_end };
  const renewed = saveSubscription(context, before, {
    billing_cycle_anchor: next.billing_cycle_anchor,
    discounts: spendDiscounts(context, before, listDiscounts(context, next)),
    items: withItem(next, { current_period_start: start, current_period_end: end }),
    latest_invoice: draft.id,
  });
  const invoice = createInvoice(context, draft);
  if (renewed.pause_collection) voidInvoice(context, invoice);
  advanceSchedule(context, renewed);
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
