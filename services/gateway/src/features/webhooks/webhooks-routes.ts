import { eventBody } from '@uprez/domain/events/event-body';
import { listEvents } from '@uprez/domain/feed/release-events';
import { changeWebhook, rotateWebhookSecret } from '@uprez/domain/webhooks/change-webhook';
import { createWebhook } from '@uprez/domain/webhooks/create-webhook';
import { getDelivery, listDeliveries, resendDelivery } from '@uprez/domain/webhooks/get-delivery';
import { deleteWebhook, getWebhook, listWebhooks } from '@uprez/domain/webhooks/get-webhook';
import { resendEvents, testWebhook } from '@uprez/domain/webhooks/resend-events';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { hideResponses, hideUrl } from '../views/hide-files.ts';
import { presentDelivery, presentDeliveryDetail, presentWebhook } from './present-webhook.ts';

/** Webhook endpoints, and the feed of all events. */
export function registerWebhookRoutes({ route, actorOf }: Dialect, deps: Deps): void {
  route('listWebhooks', async (request) =>
    (await listWebhooks(deps, { actor: await actorOf(request) })).map((row) => hideUrl(request, presentWebhook(row))),
  );
  route('createWebhook', async (request, reply) => {
    const { endpoint, secret } = await createWebhook(deps, { actor: await actorOf(request), ...request.body });
    return reply.status(201).send({ ...presentWebhook(endpoint), secret });
  });
  route('getWebhook', async (request) => {
    const endpoint = await getWebhook(deps, { actor: await actorOf(request), ...request.params });
    return hideUrl(request, presentWebhook(endpoint));
  });
  route('updateWebhook', async (request) => {
    const change = { actor: await actorOf(request), ...request.body, ...request.params };
    return presentWebhook(await changeWebhook(deps, change));
  });
  route('deleteWebhook', async (request, reply) => {
    await deleteWebhook(deps, { actor: await actorOf(request), ...request.params });
    return reply.status(204).send(null);
  });
  route('rotateWebhookSecret', async (request) => {
    const rotation = { actor: await actorOf(request), ...request.params, ...request.body };
    const { endpoint, secret } = await rotateWebhookSecret(deps, rotation);
    return { ...presentWebhook(endpoint), secret };
  });
  route('listEvents', async (request) => {
    const { events, nextCursor } = await listEvents(deps, { actor: await actorOf(request), ...request.query });
    const data = events.map((event) => eventBody(event, deps.config.PUBLIC_URL));
    return { data, next_cursor: nextCursor };
  });
}

/** The delivery log of a webhook endpoint, test events, and resends. */
export function registerWebhookDeliveryRoutes({ route, actorOf }: Dialect, deps: Deps): void {
  route('testWebhook', async (request, reply) => {
    const delivery = await testWebhook(deps, { actor: await actorOf(request), ...request.params });
    return reply.status(202).send(presentDelivery(delivery));
  });
  route('resendWebhook', async (request, reply) => {
    const range = { actor: await actorOf(request), ...request.params, ...request.body };
    return reply.status(202).send({ events: await resendEvents(deps, range) });
  });
  route('listWebhookDeliveries', async (request) => {
    const filter = { actor: await actorOf(request), ...request.params, ...request.query };
    const { deliveries, nextCursor } = await listDeliveries(deps, filter);
    return { data: deliveries.map((row) => hideUrl(request, presentDelivery(row))), nextCursor };
  });
  route('getWebhookDelivery', async (request) => {
    const found = await getDelivery(deps, { actor: await actorOf(request), ...request.params });
    return hideResponses(request, presentDeliveryDetail(found, deps.config.PUBLIC_URL));
  });
  route('resendWebhookDelivery', async (request, reply) => {
    const delivery = await resendDelivery(deps, { actor: await actorOf(request), ...request.params });
    return reply.status(202).send(presentDelivery(delivery));
  });
}
