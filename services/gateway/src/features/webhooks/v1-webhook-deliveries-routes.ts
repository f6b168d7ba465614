import { getDelivery } from '@uprez/domain/webhooks/get-delivery';
import { listDeliveries } from '@uprez/domain/webhooks/list-deliveries';
import { resendDelivery } from '@uprez/domain/webhooks/resend-delivery';
import { resendEvents } from '@uprez/domain/webhooks/resend-events';
import { testWebhook } from '@uprez/domain/webhooks/test-webhook';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireKeyActor } from '../../http/bearer.ts';
import { contract } from '../../http/contract.ts';
import { presentV1Delivery, presentV1DeliveryDetail } from './present-v1-webhook.ts';

/** What was sent to an endpoint, and sending it once more, for programs. */
export function registerV1WebhookDeliveryRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('v1TestWebhook'),
    handler: async (request, reply) => {
      const delivery = await testWebhook(deps, { actor: requireKeyActor(request), id: request.params.id });
      return reply.status(202).send(presentV1Delivery(delivery));
    },
  });
  app.route({
    ...contract('v1ResendWebhook'),
    handler: async (request, reply) => {
      const wish = { id: request.params.id, since: request.body.since };
      return reply.status(202).send({ events: await resendEvents(deps, { actor: requireKeyActor(request), ...wish }) });
    },
  });
  app.route({
    ...contract('v1ListWebhookDeliveries'),
    handler: async (request, reply) => {
      const filter = { id: request.params.id, ...request.query };
      const { deliveries, nextCursor } = await listDeliveries(deps, { actor: requireKeyActor(request), ...filter });
      return reply.status(200).send({ data: deliveries.map(presentV1Delivery), next_cursor: nextCursor });
    },
  });
  app.route({
    ...contract('v1GetWebhookDelivery'),
    handler: async (request, reply) => {
      const found = await getDelivery(deps, { actor: requireKeyActor(request), ...request.params });
      return reply.status(200).send(presentV1DeliveryDetail(found, deps.config.PUBLIC_URL));
    },
  });
  app.route({
    ...contract('v1ResendWebhookDelivery'),
    handler: async (request, reply) => {
      const delivery = await resendDelivery(deps, { actor: requireKeyActor(request), ...request.params });
      return reply.status(202).send(presentV1Delivery(delivery));
    },
  });
}
