import { type DeliveryError, deliveryErrors } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookDeliveryDetail, WebhookDeliveryView, WebhookView } from '@uprez/contracts/schemas/webhooks';
import { listEvents } from '@uprez/domain/feed/release-events';
import { changeWebhook, createWebhook, rotateWebhookSecret } from '@uprez/domain/webhooks/change-webhook';
import {
  type Delivery,
  type DeliveryWithLog,
  getDelivery,
  listDeliveries,
  resendDelivery,
  resendEvents,
  testWebhook,
} from '@uprez/domain/webhooks/deliveries';
import { toEventBody } from '@uprez/domain/webhooks/event-message';
import { deleteWebhook, getWebhook, listWebhooks, type Webhook } from '@uprez/domain/webhooks/get-webhook';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { hideResponses, hideUrl } from '../../http/views.ts';
import type { ApiAdapter } from '../api-adapter.ts';

export const webhookHandlers = ({ actorOf }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    listWebhooks: async (request) =>
      (await listWebhooks(deps, { actor: await actorOf(request) })).map((row) => hideUrl(request, presentWebhook(row))),
    createWebhook: async (request, reply) => {
      const { endpoint, secret } = await createWebhook(deps, { actor: await actorOf(request), ...request.body });
      return reply.status(201).send({ ...presentWebhook(endpoint), secret });
    },
    getWebhook: async (request) => {
      const endpoint = await getWebhook(deps, { actor: await actorOf(request), ...request.params });
      return hideUrl(request, presentWebhook(endpoint));
    },
    updateWebhook: async (request) => {
      const change = { actor: await actorOf(request), ...request.body, ...request.params };
      return presentWebhook(await changeWebhook(deps, change));
    },
    deleteWebhook: async (request, reply) => {
      await deleteWebhook(deps, { actor: await actorOf(request), ...request.params });
      return reply.status(204).send(null);
    },
    rotateWebhookSecret: async (request) => {
      const rotation = { actor: await actorOf(request), ...request.params, ...request.body };
      const { endpoint, secret } = await rotateWebhookSecret(deps, rotation);
      return { ...presentWebhook(endpoint), secret };
    },
    listEvents: async (request) => {
      const { events, nextCursor } = await listEvents(deps, { actor: await actorOf(request), ...request.query });
      const data = events.map((event) => toEventBody(event, deps.config.PUBLIC_URL));
      return { data, next_cursor: nextCursor };
    },
  });

export const webhookDeliveryHandlers = ({ actorOf }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    testWebhook: async (request, reply) => {
      const delivery = await testWebhook(deps, { actor: await actorOf(request), ...request.params });
      return reply.status(202).send(presentDelivery(delivery));
    },
    resendWebhook: async (request, reply) => {
      const range = { actor: await actorOf(request), ...request.params, ...request.body };
      return reply.status(202).send({ events: await resendEvents(deps, range) });
    },
    listWebhookDeliveries: async (request) => {
      const filter = { actor: await actorOf(request), ...request.params, ...request.query };
      const { deliveries, nextCursor } = await listDeliveries(deps, filter);
      return { data: deliveries.map((row) => hideUrl(request, presentDelivery(row))), nextCursor };
    },
    getWebhookDelivery: async (request) => {
      const found = await getDelivery(deps, { actor: await actorOf(request), ...request.params });
      return hideResponses(request, presentDeliveryDetail(found, deps.config.PUBLIC_URL));
    },
    resendWebhookDelivery: async (request, reply) => {
      const delivery = await resendDelivery(deps, { actor: await actorOf(request), ...request.params });
      return reply.status(202).send(presentDelivery(delivery));
    },
  });

const timeOf = (time: Date | null) => time?.toISOString() ?? null;

/** Omits the secret, which is only shown when it's created or rotated. */
const presentWebhook = (endpoint: Webhook): WebhookView => ({
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

const presentDelivery = (delivery: Delivery): WebhookDeliveryView => ({
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

const presentDeliveryDetail = (
  { delivery, event, attempts }: DeliveryWithLog,
  publicUrl: string,
): WebhookDeliveryDetail => ({
  ...presentDelivery(delivery),
  body: JSON.stringify(toEventBody(event, publicUrl)),
  attemptLog: attempts.map((attempt) => ({
    number: attempt.number,
    at: attempt.at.toISOString(),
    durationMs: attempt.durationMs,
    responseStatus: attempt.answered,
    responseBody: attempt.answer,
    error: presentError(attempt.error),
  })),
});
