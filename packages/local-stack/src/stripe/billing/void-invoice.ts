import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import { findInvoicePayment, getSubscriptionOfInvoice } from './find-invoice.ts';
import { addToBalance, type Invoice } from './make-invoice.ts';
import { saveSubscription } from './save-subscription.ts';

/** Voids an invoice and cancels its payment. Restores the customer balance that the invoice used. */
export function voidInvoice(context: Context, before: Invoice): Invoice {
  const { store, now } = context;
  const invoice = store.put('invoices', {
    ...before,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...before.status_transitions, voided_at: now() },
  });
  cancelInvoicePayment(context, invoice.id);
  if (before.ending_balance !== null)
    addToBalance(context, idOf(before.customer) ?? '', before.starting_balance - before.ending_balance);
  store.remove('pendingChanges', invoice.id);
  context.emit('invoice.voided', invoice);
  return invoice;
}

function cancelInvoicePayment(context: Context, invoice: string): void {
  const { store, now } = context;
  const payment = findInvoicePayment(context, invoice);
  const intent = store.get('paymentIntents', idOf(payment?.payment.payment_intent) ?? '');
  if (!payment || !intent) return;
  const status_transitions = { ...payment.status_transitions, canceled_at: now() };
  store.put('invoicePayments', { ...payment, status: 'canceled', status_transitions });
  context.save('paymentIntents', 'payment_intent.canceled', {
    ...intent,
    canceled_at: now(),
    cancellation_reason: 'void_invoice',
    next_action: null,
    status: 'canceled',
  });
}

/** Voids the invoice of a subscription's pending change, if there is one. */
export function voidPendingChange(context: Context, subscription: string): void {
  const change = context.store.list('pendingChanges').find((one) => one.subscription === subscription);
  const invoice = context.store.get('invoices', change?.id ?? '');
  if (invoice) voidInvoice(context, invoice);
}

/**
 * Voids an invoice and updates its subscription. If the invoice is for a pending change, drops the change. Otherwise,
 * if the invoice is the latest one, an incomplete subscription expires, and a past-due subscription becomes active.
 */
export function voidInvoiceOfSubscription(context: Context, before: Invoice): Invoice {
  const isPending = context.store.get('pendingChanges', before.id) !== undefined;
  const invoice = voidInvoice(context, before);
  const subscription = getSubscriptionOfInvoice(context, invoice);
  if (isPending) saveSubscription(context, subscription, { pending_update: null });
  if (isPending || subscription.latest_invoice !== invoice.id) return invoice;
  if (subscription.status === 'incomplete')
    saveSubscription(context, subscription, { status: 'incomplete_expired', ended_at: context.now() });
  else if (subscription.status === 'past_due') saveSubscription(context, subscription, { status: 'active' });
  return invoice;
}
