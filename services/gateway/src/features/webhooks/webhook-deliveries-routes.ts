import { getDelivery } from '@uprez/domain/webhooks/get-delivery';
import { listDeliveries } from '@uprez/domain/webhooks/list-deliveries';
import { resendDelivery } from '@uprez/domain/webhooks/resend-delivery';
import { resendEvents } from '@uprez/domain/webhooks/resend-events';
import { testWebhook } from '@uprez/domain/webhooks/test-webhook';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentDelivery, presentDeliveryDetail } from './present-webhook.ts';

/** What was sent to an endpoint, and sending it once more, in a browser. */
export function registerWebhookDeliveryRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('testWebhook'),
    handler: async (request, reply) => {
      const delivery = await testWebhook(deps, { actor: await requireActor(deps, request), id: request.params.id });
      return reply.status(202).send(presentDelivery(delivery));
    },
  });
  app.route({
    ...contract('resendWebhook'),
    handler: async (request, reply) => {
      const wish = { id: request.params.id, since: request.body.since };
      return reply
        .status(202)
        .send({ events: await resendEvents(deps, { actor: await requireActor(deps, request), ...wish }) });
    },
  });
  app.route({
    ...contract('listWebhookDeliveries'),
    handler: async (request, reply) => {
      const filter = { id: request.params.id, ...request.query };
      const { deliveries, nextCursor } = await listDeliveries(deps, {
        actor: await requireActor(deps, request),
        ...filter,
      });
      return reply.status(200).send({ data: deliveries.map(presentDelivery), nextCursor });
    },
  });
  app.route({
    ...contract('getWebhookDelivery'),
    handler: async (request, reply) => {
      const found = await getDelivery(deps, { actor: await requireActor(deps, request), ...request.params });
      return reply.status(200).send(presentDeliveryDetail(found, deps.config.PUBLIC_URL));
    },
  });
  app.route({
    ...contract('resendWebhookDelivery'),
    handler: async (request, reply) => {
      const delivery = await resendDelivery(deps, { actor: await requireActor(deps, request), ...request.params });
      return reply.status(202).send(presentDelivery(delivery));
    },
  });
}
