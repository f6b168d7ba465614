import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import { confirmSubscriptionSetup } from '../payments/confirm-setup-intent.ts';
import { createSetupIntent } from '../payments/create-intent.ts';
import { requireReturnUrl } from '../payments/next-action.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { resolvePaymentMethod } from './payment-methods.ts';

export const setupIntentCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/setup_intents',
    params: 'SetupIntentCreateParams',
    serves: ['automatic_payment_methods', 'confirm', 'customer', 'metadata', 'payment_method', 'usage'],
    reply: 'SetupIntent',
    run: (context, params) => {
      const { customer = null, payment_method: method, usage = 'off_session' } = params;
      if (customer) getRow(context, 'customers', { id: customer, param: 'customer' });
      const paymentMethod = method ? resolvePaymentMethod(context, { id: method, param: 'payment_method' }).id : null;
      const metadata = mergeMetadata({}, params.metadata);
      const intent = createSetupIntent(context, { customer, metadata, payment_method: paymentMethod, usage });
      return params.confirm ? confirmWithMethod(context, intent) : intent;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/setup_intents/:id',
    params: 'SetupIntentRetrieveParams',
    reply: 'SetupIntent',
    run: (context, _params, id) => getRow(context, 'setupIntents', { id }),
  }),
  defineCall({
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    params: 'SetupIntentConfirmParams',
    serves: ['payment_method', 'return_url', 'use_stripe_sdk'],
    reply: 'SetupIntent',
    run: (context, params, id) => confirmWithMethod(context, getRow(context, 'setupIntents', { id }), params),
  }),
];

type ConfirmParams = { payment_method?: string; return_url?: string };

function confirmWithMethod(
  context: Context,
  intent: Tables['setupIntents'],
  { payment_method: given, return_url: returnUrl }: ConfirmParams = {},
): Tables['setupIntents'] {
  const id = given ?? idOf(intent.payment_method);
  if (!id)
    throw invalidRequestError(
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.",
      { code: 'setup_intent_unexpected_state' },
    );
  const method = resolvePaymentMethod(context, { id, param: 'payment_method' });
  requireReturnUrl(method, returnUrl);
  return confirmSubscriptionSetup(context, intent, { method, returnUrl });
}
