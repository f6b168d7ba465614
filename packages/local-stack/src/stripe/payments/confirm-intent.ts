import { recordPayment } from '../billing/record-payment.ts';
import { catchDecline } from '../catch-decline.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import type { Tables } from '../state/tables.ts';
import { DeclinedError } from '../stripe-error.ts';
import { type Confirmation, confirmPaymentIntent } from './confirm-payment-intent.ts';

type PaymentIntent = Tables['paymentIntents'];

/** Charges the card of a payment intent as `confirmPaymentIntent` does, and stores what that means for its invoice. */
export function confirmIntent(
  context: Context,
  before: PaymentIntent,
  { isAutomatic = false, ...confirmation }: Confirmation & { isAutomatic?: boolean },
): PaymentIntent {
  const result = catchDecline(() => confirmPaymentIntent(context, before, confirmation));
  const intent = getRow(context, 'paymentIntents', { id: before.id });
  recordPayment(context, { intent, method: confirmation.method.id, isAutomatic });
  if (result instanceof DeclinedError) throw result;
  return intent;
}
