import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Invoice } from './make-invoice.ts';
import { saveSubscription } from './save-subscription.ts';
import { cancelSchedule } from './schedules.ts';
import type { Subscription } from './subscription-items.ts';
import { voidInvoice } from './void-invoice.ts';

const endedStatuses = ['canceled', 'incomplete_expired'];

export const isEnded = ({ status }: Subscription): boolean => endedStatuses.includes(status);

/**
 * Cancels a subscription immediately. Open invoices stay open but are no longer collected. Drafts are still finalized
 * and collected. Voids the invoice for a pending update. If the subscription is incomplete, it expires, and all its
 * open and draft invoices are voided.
 */
export function cancelSubscription(
  context: Context,
  before: Subscription,
  details: Partial<NonNullable<Subscription['cancellation_details']>> = {},
): Subscription {
  const isIncomplete = before.status === 'incomplete';
  for (const invoice of context.store.list('invoices')) {
    const isOwn = idOf(invoice.parent?.subscription_details?.subscription) === before.id;
    if (!isOwn || (invoice.status !== 'open' && invoice.status !== 'draft')) continue;
    const isUnneeded = isIncomplete || context.store.get('pendingChanges', invoice.id);
    if (isUnneeded) voidInvoice(context, invoice);
    else if (invoice.status === 'open') stopInvoiceCollection(context, invoice);
  }
  cancelSchedule(context, before);
  const now = context.now();
  return saveSubscription(context, before, {
    type: 'customer.subscription.deleted',
    cancellation_details: { ...noDetails, ...before.cancellation_details, ...details },
    canceled_at: before.canceled_at ?? now,
    ended_at: now,
    pending_update: null,
    status: isIncomplete ? 'incomplete_expired' : 'canceled',
  });
}

const noDetails = { comment: null, feedback: null, feedback_option: null, reason: null };

/** Stops an invoice from being finalized and collected automatically. */
export function stopInvoiceCollection({ store, emit }: Context, invoice: Invoice): Invoice {
  const rest = { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null };
  const stopped = store.put('invoices', { ...invoice, ...rest });
  emit('invoice.updated', stopped, { auto_advance: invoice.auto_advance ?? true });
  return stopped;
}

/** Cancels all subscriptions of a customer that haven't ended. */
export function cancelCustomerSubscriptions(context: Context, customer: string): void {
  for (const subscription of context.store.list('subscriptions'))
    if (idOf(subscription.customer) === customer && !isEnded(subscription)) cancelSubscription(context, subscription);
}
