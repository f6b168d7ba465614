import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { confirmAndRecordPayment } from '../payments/confirm-payment-intent.ts';
import { resolvePaymentMethod } from '../resources/payment-methods.ts';
import { catchDecline, DeclinedError } from '../stripe-error.ts';
import { findDefaultMethod, getIntentOfInvoice, getSubscriptionOfInvoice } from './find-invoice.ts';
import type { Invoice } from './make-invoice.ts';
import { recordFailure } from './record-payment.ts';

interface CollectInput {
  /** Payment method ID. Default: the default payment method of the subscription or the customer. */
  method?: string | undefined;
  isAutomatic: boolean;
}

/** Attempts to collect an open invoice. Returns the updated invoice, or the error if the card is declined. */
export function collectInvoice(
  context: Context,
  invoice: Invoice,
  { method, isAutomatic }: CollectInput,
): Invoice | DeclinedError {
  const id = method ?? findDefaultMethod(context, getSubscriptionOfInvoice(context, invoice));
  if (!id) {
    recordFailure(context, invoice, { needsAction: false, isCounted: true });
    return getRow(context, 'invoices', { id: invoice.id });
  }
  const paymentMethod = resolvePaymentMethod(context, { id, param: 'payment_method' });
  const intent = getIntentOfInvoice(context, invoice.id);
  // Not off-session, because Stripe asks the customer to authenticate instead of declining the payment, even for
  // renewals.
  const confirmation = { method: paymentMethod, isOffSession: false, isAutomatic };
  const result = catchDecline(() => confirmAndRecordPayment(context, intent, confirmation));
  return result instanceof DeclinedError ? result : getRow(context, 'invoices', { id: invoice.id });
}
