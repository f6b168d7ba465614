import { randomBytes } from 'node:crypto';
import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { mergeMetadata, mergeText } from '../parameters/merge-field.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { apiVersion } from '../wire.ts';

export const webhookEndpointCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    params: 'WebhookEndpointCreateParams',
    serves: ['api_version', 'description', 'enabled_events', 'metadata', 'url'],
    reply: 'WebhookEndpoint',
    run: ({ store, now }, params) => {
      requireUrl(params.url);
      if (params.api_version && params.api_version !== apiVersion)
        throw invalidRequestError(`The double sends events of ${apiVersion} only.`, { param: 'api_version' });
      const endpoint = store.put('webhookEndpoints', {
        id: makeId('we'),
        object: 'webhook_endpoint',
        api_version: params.api_version ?? null,
        application: null,
        created: now(),
        description: params.description || null,
        enabled_events: params.enabled_events,
        livemode: false,
        metadata: mergeMetadata({}, params.metadata),
        status: 'enabled',
        url: params.url,
      });
      const secret = `whsec_${randomBytes(24).toString('hex')}`;
      store.put('webhookSecrets', { id: endpoint.id, secret });
      return { ...endpoint, secret };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    params: 'WebhookEndpointRetrieveParams',
    reply: 'WebhookEndpoint',
    run: (context, _params, id) => getRow(context, 'webhookEndpoints', { id }),
  }),
  defineCall({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    params: 'WebhookEndpointUpdateParams',
    serves: ['description', 'disabled', 'enabled_events', 'metadata', 'url'],
    reply: 'WebhookEndpoint',
    run: (context, params, id) => {
      const before = getRow(context, 'webhookEndpoints', { id });
      if (params.url) requireUrl(params.url);
      return context.store.put('webhookEndpoints', {
        ...before,
        description: mergeText(params.description, before.description),
        enabled_events: params.enabled_events ?? before.enabled_events,
        metadata: mergeMetadata(before.metadata, params.metadata),
        status: params.disabled === undefined ? before.status : params.disabled ? 'disabled' : 'enabled',
        url: params.url ?? before.url,
      });
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    params: 'WebhookEndpointDeleteParams',
    reply: 'DeletedWebhookEndpoint',
    run: (context, _params, id) => {
      getRow(context, 'webhookEndpoints', { id });
      context.store.remove('webhookEndpoints', id);
      context.store.remove('webhookSecrets', id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/webhook_endpoints',
    params: 'WebhookEndpointListParams',
    reply: 'WebhookEndpointList',
    run: ({ store }, params) => listPage(store.list('webhookEndpoints'), params, '/v1/webhook_endpoints'),
  }),
];

/** Stripe requires a public URL, but the double also accepts loopback URLs. */
function requireUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidRequestError('Invalid URL: An explicit scheme (such as https) must be provided.', {
      code: 'url_invalid',
      param: 'url',
    });
}

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

/** Whether an event type matches a pattern, which is a type or a prefix such as `invoice.*`. */
const matchesType = (type: string, pattern: string) =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
