import { findInvoiceOfIntent } from '../billing/find-invoice.ts';
import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import { type Confirmation, confirmAndRecordPayment } from '../payments/confirm-payment-intent.ts';
import { createPaymentIntent } from '../payments/create-intent.ts';
import { requireReturnUrl } from '../payments/next-action.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { resolvePaymentMethod } from './payment-methods.ts';

type PaymentIntent = Tables['paymentIntents'];

const paymentIntents = defineResource({
  path: '/v1/payment_intents',
  object: 'PaymentIntent',
  table: 'paymentIntents',
});

export const paymentIntentCalls = [
  paymentIntents.create({
    serves: [
      'amount',
      'automatic_payment_methods',
      'confirm',
      'currency',
      'customer',
      'description',
      'metadata',
      'off_session',
      'payment_method',
      'receipt_email',
      'setup_future_usage',
    ],
    run: (context, params) => {
      const { amount, confirm = false, customer = null, payment_method: method } = params;
      if (!Number.isInteger(amount) || amount < MIN_AMOUNT_CENTS)
        throw invalidRequestError('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
      if (customer) getRow(context, 'customers', { id: customer, param: 'customer' });
      const paymentMethod = method ? resolvePaymentMethod(context, { id: method, param: 'payment_method' }).id : null;
      const intent = createPaymentIntent(context, {
        amount,
        currency: params.currency.toLowerCase(),
        customer,
        description: params.description || null,
        metadata: mergeMetadata({}, params.metadata),
        payment_method: paymentMethod,
        receipt_email: params.receipt_email || null,
        setup_future_usage: params.setup_future_usage ?? null,
      });
      return confirm ? confirmWithMethod(context, intent, { isOffSession: Boolean(params.off_session) }) : intent;
    },
  }),
  paymentIntents.retrieve(),
  paymentIntents.action('Confirm', {
    serves: ['off_session', 'payment_method', 'return_url', 'use_stripe_sdk'],
    run: (context, params, intent) =>
      confirmWithMethod(context, intent, {
        method: params.payment_method,
        isOffSession: Boolean(params.off_session),
        returnUrl: params.return_url,
      }),
  }),
  paymentIntents.action('Cancel', {
    serves: ['cancellation_reason'],
    run: (context, params, before) => {
      if (findInvoiceOfIntent(context, before.id))
        throw invalidRequestError(
          'You cannot cancel this PaymentIntent because it pays an invoice. Void the invoice instead.',
          {
            code: 'payment_intent_unexpected_state',
          },
        );
      if (before.status === 'succeeded' || before.status === 'canceled')
        throw invalidRequestError(
          `You cannot cancel this PaymentIntent because it has a status of ${before.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
          { code: 'payment_intent_unexpected_state' },
        );
      return context.save('paymentIntents', 'payment_intent.canceled', {
        ...before,
        canceled_at: context.now(),
        cancellation_reason: params.cancellation_reason ?? null,
        next_action: null,
        status: 'canceled',
      });
    },
  }),
  paymentIntents.list({ filters: ['created', 'customer'] }),
];

const MIN_AMOUNT_CENTS = 50;

function confirmWithMethod(
  context: Context,
  intent: PaymentIntent,
  { method, ...confirmation }: Omit<Confirmation, 'method'> & { method?: string | undefined },
): PaymentIntent {
  const id = method ?? idOf(intent.payment_method);
  if (!id)
    throw invalidRequestError(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      { code: 'payment_intent_unexpected_state' },
    );
  const paymentMethod = resolvePaymentMethod(context, { id, param: 'payment_method' });
  if (!confirmation.isOffSession) requireReturnUrl(paymentMethod, confirmation.returnUrl);
  return confirmAndRecordPayment(context, intent, { method: paymentMethod, ...confirmation });
}
