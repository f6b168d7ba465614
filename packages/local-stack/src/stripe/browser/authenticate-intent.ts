import type { Context } from '../context.ts';
import { isSame } from '../http/browser-calls.ts';
import { authenticatePaymentIntent } from '../payments/authenticate-payment-intent.ts';
import { authenticateSetupIntent } from '../payments/authenticate-setup-intent.ts';
import type { Tables } from '../state/tables.ts';

type Intent = Tables['paymentIntents'] | Tables['setupIntents'];

/** Returns an intent that waits for its customer, if the client secret is its own. */
export function findWaitingIntent({ store }: Context, id: string, secret: string): Intent | undefined {
  const intent = store.get('paymentIntents', id) ?? store.get('setupIntents', id);
  const isOwn = intent?.client_secret && isSame(secret, intent.client_secret);
  return isOwn && intent.status === 'requires_action' ? intent : undefined;
}

/** Ends what an intent waits for: the customer has passed or failed it. */
export function authenticateIntent(context: Context, { id, object }: Intent, isPassed: boolean): void {
  if (object === 'payment_intent') authenticatePaymentIntent(context, { id, isPassed });
  else authenticateSetupIntent(context, { id, isPassed });
}
