import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { listPage } from '../http/list-page.ts';
import { isPaypalOn } from '../payments/method-settings.ts';
import type { Wire } from '../wire.ts';

const accountId = 'acct_local';

export const accountCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/account',
    params: 'AccountRetrieveCurrentParams',
    reply: 'Account',
    run: () => ({
      id: accountId,
      object: 'account',
      business_type: 'company',
      charges_enabled: true,
      country: 'US',
      default_currency: 'usd',
      details_submitted: true,
      email: 'billing@example.test',
      metadata: {},
      payouts_enabled: true,
      type: 'standard',
    }),
  }),
  defineCall({
    method: 'GET',
    path: '/v1/payment_method_configurations',
    params: 'PaymentMethodConfigurationListParams',
    reply: 'PaymentMethodConfigurationList',
    run: (context, params) => listPage([makeConfiguration(context)], params, '/v1/payment_method_configurations'),
  }),
];

type Configuration = Wire<Stripe.PaymentMethodConfiguration>;

const makeMethodPreference = (value: 'on' | 'off') => ({
  available: value === 'on',
  display_preference: { overridable: null, preference: value, value },
});

const makeConfiguration = (context: Context): Configuration => ({
  id: 'pmc_local',
  object: 'payment_method_configuration',
  active: true,
  application: null,
  card: makeMethodPreference('on'),
  is_default: true,
  livemode: false,
  name: 'Default',
  parent: null,
  paypal: makeMethodPreference(isPaypalOn(context) ? 'on' : 'off'),
});
