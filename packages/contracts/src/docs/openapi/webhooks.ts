import { type EventType, eventTypes } from '../../schemas/webhook-events.ts';
import { v1EventSchema } from '../../v1/events.ts';
import { jobAt } from './examples.ts';
import { eventOf } from './examples-webhooks.ts';
import type { MediaType } from './open-api.ts';
import { schemaOf } from './schemas.ts';

const headers = {
  'webhook-id': 'The event: the same in every attempt to deliver it.',
  'webhook-timestamp': 'Seconds since 1970: refuse what is older than five minutes.',
  'webhook-signature':
    '`v1,` and the base64 of an HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint; two of them, with a blank between, while a secret is being replaced.',
};

/** What endpoints are sent, by event. */
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
    'Signed as Standard Webhooks asks. An endpoint answers with a status from 200 to 299 within the time limit; redirects are not followed, 410 switches it off, and after anything else the delivery is tried again.',
  security: [],
  parameters: Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': content } },
  responses: { '2XX': { description: 'Taken.' }, '410': { description: 'Wanted no more.' } },
});
