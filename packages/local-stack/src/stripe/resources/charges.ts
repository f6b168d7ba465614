import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';

export const disputeCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/disputes/:id',
    params: 'DisputeRetrieveParams',
    reply: 'Dispute',
    run: (context, _params, id) => getRow(context, 'disputes', { id }),
  }),
  defineCall({
    method: 'GET',
    path: '/v1/disputes',
    params: 'DisputeListParams',
    serves: ['charge', 'created', 'payment_intent'],
    reply: 'DisputeList',
    run: ({ store }, params) => {
      const rows = store
        .list('disputes')
        .filter(({ charge }) => !params.charge || idOf(charge) === params.charge)
        .filter((dispute) => !params.payment_intent || idOf(dispute.payment_intent) === params.payment_intent)
        .filter(({ created }) => isWithin(created, params.created));
      return listPage(rows, params, '/v1/disputes');
    },
  }),
];

export const chargeCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/charges/:id',
    params: 'ChargeRetrieveParams',
    reply: 'Charge',
    run: (context, _params, id) => getRow(context, 'charges', { id }),
  }),
  defineCall({
    method: 'GET',
    path: '/v1/charges',
    params: 'ChargeListParams',
    serves: ['created', 'customer', 'payment_intent'],
    reply: 'ChargeList',
    run: ({ store }, params) => {
      const rows = store
        .list('charges')
        .filter(({ customer }) => !params.customer || idOf(customer) === params.customer)
        .filter((charge) => !params.payment_intent || idOf(charge.payment_intent) === params.payment_intent)
        .filter(({ created }) => isWithin(created, params.created));
      return listPage(rows, params, '/v1/charges');
    },
  }),
];
