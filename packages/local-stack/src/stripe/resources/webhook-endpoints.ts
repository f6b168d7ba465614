import { randomBytes } from 'node:crypto';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { mergeMetadata, mergeText } from '../parameters/merge-field.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { apiVersion } from '../wire.ts';

const endpoints = defineResource({
  path: '/v1/webhook_endpoints',
  object: 'WebhookEndpoint',
  table: 'webhookEndpoints',
});

const events = defineResource({ path: '/v1/events', object: 'Event', table: 'events' });

export const webhookEndpointCalls = [
  endpoints.create({
    serves: ['api_version', 'description', 'enabled_events', 'metadata', 'url'],
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
  endpoints.retrieve(),
  endpoints.update({
    serves: ['description', 'disabled', 'enabled_events', 'metadata', 'url'],
    run: (context, params, before) => {
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
  endpoints.delete({
    run: ({ store }, _params, { id }) => {
      store.remove('webhookEndpoints', id);
      store.remove('webhookSecrets', id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  }),
  endpoints.list(),
  events.retrieve(),
  events.list({
    filters: ['created'],
    serves: ['delivery_success', 'type', 'types'],
    where: ({ type, pending_webhooks: pending }, { delivery_success: isDelivered, ...asked }) =>
      (!asked.type || matchesType(type, asked.type)) &&
      (!asked.types || asked.types.includes(type)) &&
      (isDelivered === undefined || (pending === 0) === isDelivered),
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

/** Whether an event type matches a pattern, which is a type or a prefix such as `invoice.*`. */
const matchesType = (type: string, pattern: string) =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
