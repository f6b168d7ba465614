import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import type { Invoice } from './make-invoice.ts';

/** Returns the payment of an invoice, or undefined if the invoice is a draft or nothing is due. */
export const findInvoicePayment = ({ store }: Context, invoice: string): Tables['invoicePayments'] | undefined =>
  store.list('invoicePayments').find((payment) => idOf(payment.invoice) === invoice);

/** Returns the invoice that a payment intent pays. */
export function findInvoiceOfIntent({ store }: Context, intent: string): Invoice | undefined {
  const payment = store.list('invoicePayments').find(({ payment: of }) => idOf(of.payment_intent) === intent);
  return store.get('invoices', idOf(payment?.invoice) ?? '');
}

/**
 * Returns the payment intent that pays an invoice. Throws if the invoice has none, for example because nothing is due.
 */
export function getIntentOfInvoice(context: Context, invoice: string): Tables['paymentIntents'] {
  const payment = findInvoicePayment(context, invoice);
  return getRow(context, 'paymentIntents', { id: idOf(payment?.payment.payment_intent) ?? '' });
}

export function getSubscriptionOfInvoice(context: Context, { parent }: Invoice): Tables['subscriptions'] {
  return getRow(context, 'subscriptions', { id: idOf(parent?.subscription_details?.subscription) ?? '' });
}

/**
 * Returns the ID of the payment method that pays a subscription's invoices: the subscription's default, or else its
 * customer's. Returns null if neither has a default.
 */
export function findDefaultMethod(context: Context, subscription: Tables['subscriptions']): string | null {
  const customer = context.store.get('customers', idOf(subscription.customer));
  return idOf(subscription.default_payment_method) ?? idOf(customer?.invoice_settings.default_payment_method);
}
