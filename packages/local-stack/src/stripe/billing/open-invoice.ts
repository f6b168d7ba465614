import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { createPaymentIntent } from '../payments/create-intent.ts';
import type { Tables } from '../state/tables.ts';
import { findDefaultMethod, getSubscriptionOfInvoice } from './find-invoice.ts';
import { addToBalance, type Invoice, splitBalance } from './make-invoice.ts';
import { settleInvoice } from './settle-invoice.ts';

/** Stores a draft invoice and emits `invoice.created`. */
export function createInvoice(context: Context, draft: Invoice): Invoice {
  return context.save('invoices', 'invoice.created', draft);
}

/**
 * Finalizes a draft: assigns its number, applies the customer's balance, and creates a payment intent. If nothing is
 * due, marks the invoice as paid instead of creating a payment intent.
 */
export function finalizeInvoice(context: Context, draft: Invoice): Invoice {
  const { store } = context;
  const customer = getRow(context, 'customers', { id: idOf(draft.customer) ?? '' });
  const { due, balance } = splitBalance(draft.total, customer.balance);
  addToBalance(context, customer.id, balance - (customer.balance ?? 0));
  const invoice = store.put('invoices', {
    ...draft,
    ...makeFinalizedFields(context, draft),
    amount_due: due,
    amount_remaining: due,
    ending_balance: balance,
    starting_balance: customer.balance ?? 0,
  });
  if (due > 0) requestPayment(context, invoice);
  context.emit('invoice.finalized', invoice);
  return due > 0 ? invoice : settleInvoice(context, invoice, { method: null });
}

/** Returns the fields that change when an invoice is finalized now. Consumes the customer's next invoice number. */
export function makeFinalizedFields(context: Context, draft: Invoice) {
  const customer = getRow(context, 'customers', { id: idOf(draft.customer) ?? '' });
  const sequence = customer.next_invoice_sequence ?? 1;
  context.store.put('customers', { ...customer, next_invoice_sequence: sequence + 1 });
  const now = context.now();
  return {
    automatically_finalizes_at: null,
    effective_at: now,
    invoice_pdf: `${context.origin()}/invoices/${draft.id}/pdf`,
    next_payment_attempt: null,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status: 'open' as const,
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
}

const descriptions: Record<string, string> = { subscription_create: 'Subscription creation' };

/** The payment method that pays it is saved for later invoices. */
function requestPayment(context: Context, invoice: Invoice): void {
  const intent = createPaymentIntent(context, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: descriptions[invoice.billing_reason ?? ''] ?? 'Subscription update',
    payment_method: findDefaultMethod(context, getSubscriptionOfInvoice(context, invoice)),
    setup_future_usage: 'off_session',
  });
  linkPayment(context, invoice, intent.id);
}

export function linkPayment(context: Context, invoice: Invoice, intent: string): Tables['invoicePayments'] {
  return context.store.put('invoicePayments', {
    id: makeId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: context.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
}
