import { defineCall } from '../http/define-call.ts';
import { listPage } from '../http/list-page.ts';

/** No payment of the double is disputed. */
export const disputeCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/disputes',
    params: 'DisputeListParams',
    serves: ['charge', 'created', 'payment_intent'],
    reply: 'DisputeList',
    run: (_context, params) => listPage([], params, '/v1/disputes'),
  }),
];
