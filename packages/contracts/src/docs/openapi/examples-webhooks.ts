import type { WebhookDeliveryDetail, WebhookDeliveryView, WebhookView } from '../../schemas/webhooks.ts';
import { type V1Event, v1JobEventSchema } from '../../v1/events.ts';
import type { V1Job } from '../../v1/schemas.ts';
import type { Snaked } from '../../v1/snake.ts';

const webhookId = '0199a3c6-2f10-7b5c-8d4e-1a2b3c4d5e6f';
const eventId = '0199a3c6-8a01-7e2d-9b3c-4d5e6f7a8b9c';
const deliveryId = '0199a3c6-8a02-7f3e-8c4d-5e6f7a8b9c0d';
const createdAt = '2026-11-21T12:00:00.000Z';
const sentAt = '2026-11-21T12:00:05.000Z';

const webhook: Snaked<WebhookView> = {
  id: webhookId,
  kind: 'endpoint',
  url: 'https://example.com/hooks/uprez',
  description: 'Production',
  events: ['job.completed', 'job.failed'],
  sandbox: false,
  is_active: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_delivered_at: sentAt,
  former_secret_until: null,
  created_at: createdAt,
};
const withSecret = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };
const delivery: Snaked<WebhookDeliveryView> = {
  id: deliveryId,
  event_id: eventId,
  event_type: 'job.completed',
  subject: 'photo.jpg',
  url: 'https://example.com/hooks/uprez',
  status: 'delivered',
  attempts: 1,
  response_status: 204,
  error: null,
  created_at: createdAt,
  last_attempt_at: sentAt,
  next_attempt_at: null,
};

/** Creates an example event for a completed job. */
export function eventOf(job: V1Job): V1Event {
  const data = v1JobEventSchema.parse({ ...job, sequence: 1, batch_id: null });
  return {
    id: eventId,
    type: 'job.completed',
    timestamp: sentAt,
    sandbox: job.sandbox,
    data,
  };
}

/** Creates example responses for the webhook endpoints. */
export function webhookExamples(job: V1Job) {
  const event = eventOf(job);
  const detail: Snaked<WebhookDeliveryDetail> = {
    ...delivery,
    body: JSON.stringify(event),
    attempt_log: [{ number: 1, at: sentAt, duration_ms: 83, response_status: 204, response_body: '', error: null }],
  };
  return {
    v1ListWebhooks: { data: [webhook], next_cursor: null },
    v1CreateWebhook: withSecret,
    v1GetWebhook: webhook,
    v1UpdateWebhook: webhook,
    v1RotateWebhookSecret: withSecret,
    v1TestWebhook: delivery,
    v1ResendWebhook: { events: 12 },
    v1ListWebhookDeliveries: { data: [delivery], next_cursor: null },
    v1GetWebhookDelivery: detail,
    v1ResendWebhookDelivery: delivery,
    v1ListEvents: { data: [event], next_cursor: null },
  };
}

/** Examples of request bodies. */
export const webhookBodies = {
  v1CreateWebhook: { url: 'https://example.com/hooks/uprez', events: ['job.completed', 'job.failed'] },
  v1UpdateWebhook: { is_active: false },
  v1RotateWebhookSecret: { overlap_hours: 24 },
  v1ResendWebhook: { since: '2026-11-20T00:00:00Z' },
};
