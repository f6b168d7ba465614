import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import type { Tables } from '../state/tables.ts';
import { makeClientSecret } from './create-payment-intent.ts';
import { listMethodTypes } from './method-settings.ts';

type SetupIntent = Tables['setupIntents'];

/** Creates an unconfirmed setup intent. */
export function createSetupIntent(
  context: Context,
  fields: Pick<SetupIntent, 'customer'> & Partial<Pick<SetupIntent, 'metadata' | 'payment_method' | 'usage'>>,
): SetupIntent {
  const id = makeId('seti');
  const intent = context.store.put('setupIntents', {
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
  context.emit('setup_intent.created', intent);
  return intent;
}
