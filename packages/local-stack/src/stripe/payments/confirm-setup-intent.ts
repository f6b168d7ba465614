import { saveSubscription } from '../billing/save-subscription.ts';
import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import { attachPaymentMethod } from '../resources/payment-methods.ts';
import type { Decline } from '../resources/test-cards.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { cardError, isAuthenticationNeeded, markSetUp } from './card-outcomes.ts';
import { makeNextAction } from './next-action.ts';

type SetupIntent = Tables['setupIntents'];

interface Confirmation {
  method: Tables['paymentMethods'];
  isAuthenticated?: boolean;
  /** URL to which the payment method's page redirects. */
  returnUrl?: string | undefined;
}

const confirmableStatuses = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** If the card is declined, stores the failed intent and throws Stripe's error. */
function confirmSetupIntent(
  context: Context,
  before: SetupIntent,
  { method, isAuthenticated = false, returnUrl }: Confirmation,
): SetupIntent {
  if (!confirmableStatuses.includes(before.status))
    throw invalidRequestError(`You cannot confirm this SetupIntent because it has a status of ${before.status}.`, {
      code: 'setup_intent_unexpected_state',
    });
  const intent = { ...before, payment_method: method.id };
  const decline = context.store.get('cardFates', method.id)?.onSetup;
  if (decline) throw cardError(decline, { setup_intent: failSetupIntent(context, { intent, method, decline }) });
  if (!isAuthenticated && isAuthenticationNeeded(context, method.id)) {
    return context.save('setupIntents', 'setup_intent.requires_action', {
      ...intent,
      next_action: makeNextAction(context, { intent, method, returnUrl }),
      status: 'requires_action',
    });
  }
  const customer = idOf(intent.customer);
  if (customer) attachPaymentMethod(context, method, customer);
  markSetUp(context, method.id);
  return context.save('setupIntents', 'setup_intent.succeeded', {
    ...intent,
    last_setup_error: null,
    next_action: null,
    status: 'succeeded',
  });
}

/** The intent then requires another payment method. */
export function failSetupIntent(
  context: Context,
  { intent, method, decline }: { intent: SetupIntent; method: Tables['paymentMethods']; decline: Decline },
): SetupIntent {
  return context.save('setupIntents', 'setup_intent.setup_failed', {
    ...intent,
    last_setup_error: {
      type: decline.code === 'setup_intent_authentication_failure' ? 'invalid_request_error' : 'card_error',
      code: decline.code,
      message: decline.message,
      payment_method: method,
      ...(decline.declineCode && { decline_code: decline.declineCode }),
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
}

/**
 * Confirms a setup intent. If a subscription is waiting for the intent, the payment method becomes the subscription's
 * default.
 */
export function confirmSubscriptionSetup(
  context: Context,
  before: Tables['setupIntents'],
  confirmation: Parameters<typeof confirmSetupIntent>[2],
): Tables['setupIntents'] {
  const intent = confirmSetupIntent(context, before, confirmation);
  const subscription = context.store.list('subscriptions').find((one) => one.pending_setup_intent === intent.id);
  if (subscription && intent.status === 'succeeded')
    saveSubscription(context, subscription, {
      default_payment_method: intent.payment_method,
      pending_setup_intent: null,
    });
  return intent;
}
