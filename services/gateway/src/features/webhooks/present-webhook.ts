import { type DeliveryError, deliveryErrors } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookDeliveryDetail, WebhookDeliveryView, WebhookView } from '@uprez/contracts/schemas/webhooks';
import { eventBody } from '@uprez/domain/events/event-body';
import type { Delivery, DeliveryWithLog } from '@uprez/domain/webhooks/get-delivery';
import type { Webhook } from '@uprez/domain/webhooks/get-webhook';

const timeOf = (time: Date | null) => time?.toISOString() ?? null;

/** An endpoint as its owner sees it; its secret is told when it is made only. */
export const presentWebhook = (endpoint: Webhook): WebhookView => ({
  id: endpoint.id,
  kind: endpoint.kind,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  sandbox: endpoint.isSandbox,
  isActive: endpoint.isActive,
  disabledReason: endpoint.disabledReason,
  disabledAt: timeOf(endpoint.disabledAt),
  failingSince: timeOf(endpoint.failingSince),
  lastDeliveredAt: timeOf(endpoint.lastDeliveredAt),
  formerSecretUntil: timeOf(endpoint.formerUntil),
  createdAt: endpoint.createdAt.toISOString(),
});

const presentError = (code: DeliveryError | null) => code && { code, message: deliveryErrors[code] };

/** A delivery as the log lists it. */
export const presentDelivery = (delivery: Delivery): WebhookDeliveryView => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  subject: delivery.subject,
  url: delivery.target,
  status: delivery.status,
  attempts: delivery.attempts,
  responseStatus: delivery.answered,
  error: presentError(delivery.error),
  createdAt: delivery.createdAt.toISOString(),
  lastAttemptAt: timeOf(delivery.lastAttemptAt),
  nextAttemptAt: delivery.status === 'pending' ? delivery.nextAt.toISOString() : null,
});

/** A delivery with what is sent, and what was answered to each attempt. */
export const presentDeliveryDetail = (
  { delivery, event, attempts }: DeliveryWithLog,
  publicUrl: string,
): WebhookDeliveryDetail => ({
  ...presentDelivery(delivery),
  body: JSON.stringify(eventBody(event, publicUrl)),
  attemptLog: attempts.map((attempt) => ({
    number: attempt.number,
    at: attempt.at.toISOString(),
    durationMs: attempt.durationMs,
    responseStatus: attempt.answered,
    responseBody: attempt.answer,
    error: presentError(attempt.error),
  })),
});
