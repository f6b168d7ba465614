import { saveSubscription } from '../billing/save-subscription.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';
import { confirmSetupIntent } from './confirm-setup-intent.ts';

/** Confirms a setup intent. If a subscription waits for it, its payment method becomes that of the subscription. */
export function confirmSetup(
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
