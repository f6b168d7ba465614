import { defineResource } from '../http/define-resource.ts';

const charges = defineResource({ path: '/v1/charges', object: 'Charge', table: 'charges' });
const disputes = defineResource({ path: '/v1/disputes', object: 'Dispute', table: 'disputes' });

export const chargeCalls = [
  charges.retrieve(),
  charges.list({ filters: ['created', 'customer', 'payment_intent'] }),
  disputes.retrieve(),
  disputes.list({ filters: ['charge', 'created', 'payment_intent'] }),
];
