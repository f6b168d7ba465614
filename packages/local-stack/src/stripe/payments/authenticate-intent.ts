import { recordPayment } from '../billing/record-payment.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Decline } from '../resources/test-cards.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { confirmAndRecordPayment, failPaymentIntent } from './confirm-payment-intent.ts';
import { confirmSubscriptionSetup, failSetupIntent } from './confirm-setup-intent.ts';

/**
 * Completes the 3-D Secure authentication of a payment intent. If the customer passed, charges the customer. Otherwise
 * fails the payment.
 */
export function authenticatePaymentIntent(context: Context, { id, isPassed }: { id: string; isPassed: boolean }): void {
  const intent = getRow(context, 'paymentIntents', { id });
  const method = getRow(context, 'paymentMethods', { id: idOf(intent.payment_method) ?? '', param: 'payment_method' });
  if (intent.status !== 'requires_action') throw invalidRequestError('This payment intent needs no authentication.');
  if (isPassed) {
    confirmAndRecordPayment(context, intent, { method, isOffSession: false, isAuthenticated: true });
    return;
  }
  const failed = failPaymentIntent(context, { intent, method, decline: authenticationFailed });
  recordPayment(context, { intent: failed, method: method.id, isAutomatic: false });
}

const authenticationFailed: Decline = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/**
 * Completes the 3-D Secure authentication of a setup intent. If the customer passed, saves the card. Otherwise fails
 * the intent.
 */
export function authenticateSetupIntent(context: Context, { id, isPassed }: { id: string; isPassed: boolean }): void {
  const intent = getRow(context, 'setupIntents', { id });
  const method = getRow(context, 'paymentMethods', { id: idOf(intent.payment_method) ?? '', param: 'payment_method' });
  if (intent.status !== 'requires_action') throw invalidRequestError('This setup intent needs no authentication.');
  if (isPassed) confirmSubscriptionSetup(context, intent, { method, isAuthenticated: true });
  else failSetupIntent(context, { intent, method, decline: setupAuthenticationFailed });
}

const setupAuthenticationFailed: Decline = {
  code: 'setup_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};
