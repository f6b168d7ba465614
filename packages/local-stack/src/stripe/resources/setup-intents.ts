import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import { confirmSubscriptionSetup } from '../payments/confirm-setup-intent.ts';
import { createSetupIntent } from '../payments/create-intent.ts';
import { requireReturnUrl } from '../payments/next-action.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { resolvePaymentMethod } from './payment-methods.ts';

const setupIntents = defineResource({ path: '/v1/setup_intents', object: 'SetupIntent', table: 'setupIntents' });

export const setupIntentCalls = [
  setupIntents.create({
    serves: ['automatic_payment_methods', 'confirm', 'customer', 'metadata', 'payment_method', 'usage'],
    run: (context, params) => {
      const { customer = null, payment_method: method, usage = 'off_session' } = params;
      if (customer) getRow(context, 'customers', { id: customer, param: 'customer' });
      const paymentMethod = method ? resolvePaymentMethod(context, { id: method, param: 'payment_method' }).id : null;
      const metadata = mergeMetadata({}, params.metadata);
      const intent = createSetupIntent(context, { customer, metadata, payment_method: paymentMethod, usage });
      return params.confirm ? confirmWithMethod(context, intent) : intent;
    },
  }),
  setupIntents.retrieve(),
  setupIntents.action('Confirm', {
    serves: ['payment_method', 'return_url', 'use_stripe_sdk'],
    run: (context, params, intent) => confirmWithMethod(context, intent, params),
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
