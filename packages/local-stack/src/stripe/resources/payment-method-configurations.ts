import type Stripe from 'stripe';
import { defineCall } from '../http/define-call.ts';
import { listPage } from '../http/list-page.ts';
import type { Wire } from '../wire.ts';

/** The account offers cards only. */
const configuration: Wire<Stripe.PaymentMethodConfiguration> = {
  id: 'pmc_local',
  object: 'payment_method_configuration',
  active: true,
  application: null,
  card: { available: true, display_preference: { overridable: null, preference: 'on', value: 'on' } },
  is_default: true,
  livemode: false,
  name: 'Default',
  parent: null,
};

export const paymentMethodConfigurationCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/payment_method_configurations',
    params: 'PaymentMethodConfigurationListParams',
    reply: 'PaymentMethodConfigurationList',
    run: (_context, params) => listPage([configuration], params, '/v1/payment_method_configurations'),
  }),
];
