import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import type { Tables } from '../state/tables.ts';
import { listMethodTypes } from './method-settings.ts';

type PaymentIntent = Tables['paymentIntents'];
type Fields = Pick<PaymentIntent, 'amount' | 'currency' | 'customer'> &
  Partial<Pick<PaymentIntent, 'description' | 'metadata' | 'receipt_email' | 'setup_future_usage' | 'payment_method'>>;

/** Returns a secret that lets a browser read and confirm an intent. */
const makeClientSecret = (id: string): string => `${id}_secret_${randomBytes(12).toString('hex')}`;

export function createPaymentIntent(context: Context, fields: Fields): PaymentIntent {
  const id = makeId('pi');
  return context.save('paymentIntents', 'payment_intent.created', {
    ...emptyFields,
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
    client_secret: makeClientSecret(id),
    created: context.now(),
    description: null,
    excluded_payment_method_types: null,
    metadata: {},
    payment_method: null,
    payment_method_types: listMethodTypes(context),
    receipt_email: null,
    setup_future_usage: null,
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    ...fields,
  });
}

const emptyFields = {
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  confirmation_method: 'automatic',
  customer_account: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_record: null,
  processing: null,
  review: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} as const;

type SetupIntent = Tables['setupIntents'];

export function createSetupIntent(
  context: Context,
  fields: Pick<SetupIntent, 'customer'> & Partial<Pick<SetupIntent, 'metadata' | 'payment_method' | 'usage'>>,
): SetupIntent {
  const id = makeId('seti');
  return context.save('setupIntents', 'setup_intent.created', {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
    cancellation_reason: null,
    client_secret: makeClientSecret(id),
    created: context.now(),
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: listMethodTypes(context),
    single_use_mandate: null,
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    usage: 'off_session',
    ...fields,
  });
}
