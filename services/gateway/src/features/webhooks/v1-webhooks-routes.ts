import { eventBody } from '@uprez/domain/events/event-body';
import { listEvents } from '@uprez/domain/events/list-events';
import { changeWebhook } from '@uprez/domain/webhooks/change-webhook';
import { createWebhook } from '@uprez/domain/webhooks/create-webhook';
import { deleteWebhook } from '@uprez/domain/webhooks/delete-webhook';
import { getWebhook } from '@uprez/domain/webhooks/get-webhook';
import { listWebhooks } from '@uprez/domain/webhooks/list-webhooks';
import { rotateWebhookSecret } from '@uprez/domain/webhooks/rotate-webhook-secret';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireKeyActor } from '../../http/bearer.ts';
import { contract } from '../../http/contract.ts';
import { presentV1Webhook } from './present-v1-webhook.ts';

/** Where events go, and the feed of all of them, for programs. */
export function registerV1WebhookRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('v1ListWebhooks'),
    handler: async (request, reply) =>
      reply.status(200).send({
        data: (await listWebhooks(deps, { actor: requireKeyActor(request) })).map(presentV1Webhook),
        next_cursor: null,
      }),
  });
  app.route({
    ...contract('v1CreateWebhook'),
    handler: async (request, reply) => {
      const { endpoint, secret } = await createWebhook(deps, { actor: requireKeyActor(request), ...request.body });
      return reply.status(201).send({ ...presentV1Webhook(endpoint), secret });
    },
  });
  app.route({
    ...contract('v1GetWebhook'),
    handler: async (request, reply) => {
      const endpoint = await getWebhook(deps, { actor: requireKeyActor(request), id: request.params.id });
      return reply.status(200).send(presentV1Webhook(endpoint));
    },
  });
  app.route({
    ...contract('v1UpdateWebhook'),
    handler: async (request, reply) => {
      const change = { ...request.body, id: request.params.id };
      return reply
        .status(200)
        .send(presentV1Webhook(await changeWebhook(deps, { actor: requireKeyActor(request), ...change })));
    },
  });
  app.route({
    ...contract('v1DeleteWebhook'),
    handler: async (request, reply) => {
      await deleteWebhook(deps, { actor: requireKeyActor(request), id: request.params.id });
      return reply.status(204).send(null);
    },
  });
  app.route({
    ...contract('v1RotateWebhookSecret'),
    handler: async (request, reply) => {
      const rotation = { id: request.params.id, overlapHours: request.body?.overlapHours };
      const { endpoint, secret } = await rotateWebhookSecret(deps, { actor: requireKeyActor(request), ...rotation });
      return reply.status(200).send({ ...presentV1Webhook(endpoint), secret });
    },
  });
  app.route({
    ...contract('v1ListEvents'),
    handler: async (request, reply) => {
      const { events, nextCursor } = await listEvents(deps, { actor: requireKeyActor(request), ...request.query });
      const data = events.map((event) => eventBody(event, deps.config.PUBLIC_URL));
      return reply.status(200).send({ data, next_cursor: nextCursor });
    },
  });
}
