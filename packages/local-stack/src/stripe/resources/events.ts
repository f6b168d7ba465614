import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { getRow } from '../parameters/get-row.ts';

export const eventCalls = [
  defineCall({
    method: 'GET',
    path: '/v1/events/:id',
    params: 'EventRetrieveParams',
    reply: 'Event',
    run: (context, _params, id) => getRow(context, 'events', { id }),
  }),
  defineCall({
    method: 'GET',
    path: '/v1/events',
    params: 'EventListParams',
    serves: ['created', 'delivery_success', 'type', 'types'],
    reply: 'EventList',
    run: ({ store }, params) => {
      const isDelivered = params.delivery_success;
      const rows = store
        .list('events')
        .filter(({ type }) => !params.type || matchesType(type, params.type))
        .filter(({ type }) => !params.types || params.types.includes(type))
        .filter(({ pending_webhooks: pending }) => isDelivered === undefined || (pending === 0) === isDelivered)
        .filter(({ created }) => isWithin(created, params.created));
      return listPage(rows, params, '/v1/events');
    },
  }),
];

/** A pattern is a type, or the start of types, as in `invoice.*`. */
const matchesType = (type: string, pattern: string) =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
