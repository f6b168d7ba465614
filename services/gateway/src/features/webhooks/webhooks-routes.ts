import type { Actor } from '@uprez/domain/actor';
import { eventBody } from '@uprez/domain/events/event-body';
import { listEvents } from '@uprez/domain/events/list-events';
import { changeWebhook } from '@uprez/domain/webhooks/change-webhook';
import { createWebhook } from '@uprez/domain/webhooks/create-webhook';
import { deleteWebhook } from '@uprez/domain/webhooks/delete-webhook';
import { getWebhook } from '@uprez/domain/webhooks/get-webhook';
import { listWebhooks } from '@uprez/domain/webhooks/list-webhooks';
import { rotateWebhookSecret } from '@uprez/domain/webhooks/rotate-webhook-secret';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentWebhook } from './present-webhook.ts';

/** Where events go, as the owner of an account says it in a browser. */
export function registerWebhookRoutes(app: App, deps: Deps): void {
  const actorOf = (request: FastifyRequest): Promise<Actor> => requireActor(deps, request);
  app.route({
    ...contract('listWebhooks'),
    handler: async (request, reply) =>
      reply.status(200).send((await listWebhooks(deps, { actor: await actorOf(request) })).map(presentWebhook)),
  });
  app.route({
    ...contract('createWebhook'),
    handler: async (request, reply) => {
      const { endpoint, secret } = await createWebhook(deps, { actor: await actorOf(request), ...request.body });
      return reply.status(201).send({ ...presentWebhook(endpoint), secret });
    },
  });
  app.route({
    ...contract('getWebhook'),
    handler: async (request, reply) => {
      const endpoint = await getWebhook(deps, { actor: await actorOf(request), id: request.params.id });
      return reply.status(200).send(presentWebhook(endpoint));
    },
  });
  app.route({
    ...contract('updateWebhook'),
    handler: async (request, reply) => {
      const change = { ...request.body, id: request.params.id };
      return reply
        .status(200)
        .send(presentWebhook(await changeWebhook(deps, { actor: await actorOf(request), ...change })));
    },
  });
  app.route({
    ...contract('deleteWebhook'),
    handler: async (request, reply) => {
      await deleteWebhook(deps, { actor: await actorOf(request), id: request.params.id });
      return reply.status(204).send(null);
    },
  });
  app.route({
    ...contract('rotateWebhookSecret'),
    handler: async (request, reply) => {
      const rotation = { id: request.params.id, overlapHours: request.body?.overlapHours };
      const { endpoint, secret } = await rotateWebhookSecret(deps, { actor: await actorOf(request), ...rotation });
      return reply.status(200).send({ ...presentWebhook(endpoint), secret });
    },
  });
  app.route({
    ...contract('listEvents'),
    handler: async (request, reply) => {
      const { events, nextCursor } = await listEvents(deps, { actor: await actorOf(request), ...request.query });
      const data = events.map((event) => eventBody(event, deps.config.PUBLIC_URL));
      return reply.status(200).send({ data, next_cursor: nextCursor });
    },
  });
}
