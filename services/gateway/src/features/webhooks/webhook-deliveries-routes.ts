import { getDelivery, listDeliveries, resendDelivery } from '@uprez/domain/webhooks/get-delivery';
import { resendEvents, testWebhook } from '@uprez/domain/webhooks/resend-events';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { presentDelivery, presentDeliveryDetail } from './present-webhook.ts';

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
    return { data: deliveries.map(presentDelivery), nextCursor };
  });
  route('getWebhookDelivery', async (request) => {
    const found = await getDelivery(deps, { actor: await actorOf(request), ...request.params });
    return presentDeliveryDetail(found, deps.config.PUBLIC_URL);
  });
  route('resendWebhookDelivery', async (request, reply) => {
    const delivery = await resendDelivery(deps, { actor: await actorOf(request), ...request.params });
    return reply.status(202).send(presentDelivery(delivery));
  });
}
