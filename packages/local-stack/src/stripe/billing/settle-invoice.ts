import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { spendDiscounts } from './discounts.ts';
import { findInvoicePayment, getSubscriptionOfInvoice } from './find-invoice.ts';
import type { Invoice } from './make-invoice.ts';
import { storeDiscounts } from './replace-discounts.ts';
import { saveSubscription } from './save-subscription.ts';
import { priceFields, type Subscription, withItem } from './subscription-items.ts';

/**
 * Marks an invoice as paid and updates its subscription. `method` is the ID of the payment method used, or null if
 * nothing was due.
 */
export function settleInvoice(context: Context, before: Invoice, { method }: { method: string | null }): Invoice {
  const invoice = markPaid(context, before);
  settleSubscription(context, { subscription: getSubscriptionOfInvoice(context, invoice), invoice, method });
  return invoice;
}

/** Marks an invoice and its payment as paid. */
export function markPaid(context: Context, before: Invoice): Invoice {
  const now = context.now();
  const invoice = context.store.put('invoices', {
    ...before,
    amount_paid: before.amount_due,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...before.status_transitions, paid_at: now },
  });
  const payment = findInvoicePayment(context, invoice.id);
  if (payment) {
    const paid = { ...payment, amount_paid: invoice.amount_due, status: 'paid' };
    const status_transitions = { ...payment.status_transitions, paid_at: now };
    context.save('invoicePayments', 'invoice_payment.paid', { ...paid, status_transitions });
  }
  context.emit('invoice.updated', invoice, { status: before.status });
  context.emit('invoice.paid', invoice);
  context.emit('invoice.payment_succeeded', invoice);
  return invoice;
}

interface Settlement {
  subscription: Subscription;
  invoice: Invoice;
  method: string | null;
}

/** Only the latest invoice can change the subscription's status. */
function settleSubscription(context: Context, { subscription, invoice, method }: Settlement): void {
  const applied = applyPendingChange(context, { subscription, invoice });
  const isLatest = subscription.latest_invoice === invoice.id;
  const isLive = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status);
  const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  const changes: Partial<Subscription> = {
    ...applied,
    ...(isLatest && isLive && { status: 'active' }),
    ...(method && saves && { default_payment_method: method }),
  };
  const isChanged = Object.entries(changes).some(([key, value]) => Reflect.get(subscription, key) !== value);
  const saved = isChanged ? saveSubscription(context, subscription, changes) : subscription;
  if (applied && subscription.pending_update) context.emit('customer.subscription.pending_update_applied', saved);
}

/** Undefined if the invoice wasn't for a pending change. */
function applyPendingChange(
  context: Context,
  { subscription, invoice }: Pick<Settlement, 'subscription' | 'invoice'>,
): Partial<Subscription> | undefined {
  const change = context.store.get('pendingChanges', invoice.id);
  if (!change) return undefined;
  context.store.remove('pendingChanges', change.id);
  const { current_period_start, current_period_end } = change;
  const price = getRow(context, 'prices', { id: change.price });
  return {
    billing_cycle_anchor: current_period_start,
    items: withItem(subscription, { ...priceFields(price), current_period_start, current_period_end }),
    pending_update: null,
    ...(change.discounts && { discounts: applyDiscountChange(context, subscription, change.discounts) }),
  };
}

/** Ends one-time discounts, because the paid invoice has used them. */
function applyDiscountChange(context: Context, subscription: Subscription, ids: readonly string[]): string[] {
  const after = ids.map((id) => getRow(context, 'discounts', { id }));
  const discounts = storeDiscounts(context, subscription, after);
  return spendDiscounts(context, { ...subscription, discounts }, after);
}
