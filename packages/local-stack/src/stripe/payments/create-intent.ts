import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { listMethodTypes } from './method-settings.ts';

type PaymentIntent = Tables['paymentIntents'];
type Fields = Pick<PaymentIntent, 'amount' | 'currency' | 'customer'> &
  Partial<Pick<PaymentIntent, 'description' | 'metadata' | 'receipt_email' | 'setup_future_usage' | 'payment_method'>>;

/** Returns a secret that lets a browser read and confirm an intent. */
const makeClientSecret = (id: string): string => `${id}_secret_${randomBytes(12).toString('hex')}`;

export function createPaymentIntent(context: Context, fields: Fields): PaymentIntent {
  const id = makeId('pi');
  const intent = fillNulls('PaymentIntent', {
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
    capture_method: 'automatic_async',
    client_secret: makeClientSecret(id),
    confirmation_method: 'automatic',
    created: context.now(),
    livemode: false,
    metadata: {},
    payment_method_types: listMethodTypes(context),
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    ...fields,
  });
  return context.save('paymentIntents', 'payment_intent.created', intent);
}

type SetupIntent = Tables['setupIntents'];

export function createSetupIntent(
  context: Context,
  fields: Pick<SetupIntent, 'customer'> & Partial<Pick<SetupIntent, 'metadata' | 'payment_method' | 'usage'>>,
): SetupIntent {
  const id = makeId('seti');
  const intent = fillNulls('SetupIntent', {
    id,
    object: 'setup_intent',
    automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
    client_secret: makeClientSecret(id),
    created: context.now(),
    flow_directions: null,
    livemode: false,
    metadata: {},
    payment_method_types: listMethodTypes(context),
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    usage: 'off_session',
    ...fields,
  });
  return context.save('setupIntents', 'setup_intent.created', intent);
}
