import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';

export const invoicePaymentCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/invoice_payments/:id',
    params: 'InvoicePaymentRetrieveParams',
    reply: 'InvoicePayment',
    run: (context, _params, id) => getRow(context, 'invoicePayments', { id }),
  }),
  defineCall({
    method: 'GET',
    path: '/v1/invoice_payments',
    params: 'InvoicePaymentListParams',
    serves: ['created', 'invoice', 'payment', 'status'],
    reply: 'InvoicePaymentList',
    run: ({ store }, params) => {
      const intent = params.payment?.payment_intent;
      const rows = store
        .list('invoicePayments')
        .filter(({ invoice }) => !params.invoice || idOf(invoice) === params.invoice)
        .filter(({ payment }) => !intent || idOf(payment.payment_intent) === intent)
        .filter(({ status }) => !params.status || status === params.status)
        .filter(({ created }) => isWithin(created, params.created));
      return listPage(rows, params, '/v1/invoice_payments');
    },
  }),
];
