import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { isPaypalOn } from '../payments/method-settings.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequest } from '../stripe-error.ts';

/** Creates a PayPal account as payment method. Its owner authorizes it on a page until it is set up for later payments. */
export function createPaypal(context: Context): Tables['paymentMethods'] {
  if (!isPaypalOn(context))
    throw invalidRequest('The payment method type `paypal` is invalid. Please ensure the provided type is activated.', {
      param: 'type',
    });
  const method = context.store.put('paymentMethods', {
    id: makeId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    created: context.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    paypal: { country: 'US', payer_email: 'payer@example.test', payer_id: 'LOCAL-PAYER' },
    type: 'paypal',
  });
  context.store.put('cardFates', { id: method.id, onSetup: null, onCharge: null, authentication: 'until_set_up' });
  return method;
}
