import { defineCall } from '../http/define-call.ts';

/** The account that the double plays. */
export const accountId = 'acct_local';

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
];
