import { type EventType, eventTypes } from '../../schemas/webhook-events.ts';
import { v1EventSchema } from '../../v1/events.ts';
import { jobAt } from './examples.ts';
import { eventOf } from './examples-webhooks.ts';
import type { MediaType } from './open-api.ts';
import { schemaOf } from './schemas.ts';

const headers = {
  'webhook-id': 'ID of the event. Every attempt to deliver it has the same ID.',
  'webhook-timestamp': 'Unix time in seconds. Reject deliveries that are more than 300 seconds old.',
  'webhook-signature':
    "`v1,` followed by the base64-encoded HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with the endpoint's secret. During a secret rotation, it contains 2 signatures, separated by a space.",
};

/** Makes the webhooks of the document, by event type. */
export function makeWebhooks(publicUrl: string): Record<string, { post: unknown }> {
  const rows = v1EventSchema.options.flatMap((option) =>
    option.shape.type.options.map((type: EventType) => {
      const example = type === 'job.completed' && { example: eventOf(jobAt(publicUrl)) };
      return [type, { post: deliveryOf(type, { schema: schemaOf(option, 'output'), ...example }) }];
    }),
  );
  return Object.fromEntries(rows);
}

const deliveryOf = (type: EventType, content: MediaType) => ({
  operationId: `on-${type}`,
  tags: ['Webhooks'],
  summary: eventTypes[type],
  description:
    'Signed according to Standard Webhooks. Respond with a status from 200 to 299 within the time limit. Redirects are not followed. A 410 response disables the endpoint. After any other response, the delivery is retried.',
  security: [],
  parameters: Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': content } },
  responses: {
    '2XX': { description: 'Delivered.' },
    '410': { description: 'Gone. The endpoint is disabled and receives no further deliveries.' },
  },
});
