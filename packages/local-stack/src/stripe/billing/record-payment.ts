import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';
import { findInvoiceOfIntent, getSubscriptionOfInvoice } from './find-invoice.ts';
import type { Invoice } from './make-invoice.ts';
import { saveSubscription } from './save-subscription.ts';
import { settleInvoice } from './settle-invoice.ts';

interface Payment {
  intent: Tables['paymentIntents'];
  method: string;
  /** By the schedule of retries. Of the other attempts only the first one counts. */
  isAutomatic: boolean;
}

/** Stores what a payment, or its failure, means for the invoice of the payment intent. Does nothing if it has none. */
export function recordPayment(context: Context, { intent, method, isAutomatic }: Payment): void {
  const invoice = findInvoiceOfIntent(context, intent.id);
  if (invoice?.status !== 'open') return;
  const isCounted = isAutomatic || invoice.attempt_count === 0;
  const attempted = { ...invoice, attempted: true, attempt_count: invoice.attempt_count + (isCounted ? 1 : 0) };
  if (intent.status === 'succeeded') settleInvoice(context, attempted, { method });
  else recordFailure(context, attempted, { needsAction: intent.status === 'requires_action' });
}

/** Stores that an invoice couldn't be collected. A renewal that fails makes its subscription past due. */
export function recordFailure(context: Context, failed: Invoice, { needsAction }: { needsAction: boolean }): void {
  const invoice = context.store.put('invoices', failed);
  context.emit('invoice.updated', invoice);
  context.emit(needsAction ? 'invoice.payment_action_required' : 'invoice.payment_failed', invoice);
  const subscription = getSubscriptionOfInvoice(context, invoice);
  if (subscription.status === 'active' && invoice.billing_reason === 'subscription_cycle')
    saveSubscription(context, subscription, { status: 'past_due' });
}
