import { AppError } from '@uprez/contracts/errors/app-error';
import { type EventRow, findEvent } from '@uprez/db/queries/webhooks/events';
import { findDelivery, type LoggedDelivery, listAttempts } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { EndpointRow } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { isUuid } from '../jobs/is-uuid.ts';
import { getWebhook } from './get-webhook.ts';

export type DeliveryIds = { id: string; deliveryId: string };
export type DeliveryWithLog = {
  delivery: LoggedDelivery;
  endpoint: EndpointRow;
  event: EventRow;
  attempts: Awaited<ReturnType<typeof listAttempts>>;
};

/** One delivery with its event and its attempts. Throws `webhook_not_found`, `delivery_not_found`. */
export async function getDelivery(
  ctx: Needs<'db' | 'vault'>,
  { actor, id, deliveryId }: { actor: Actor } & DeliveryIds,
): Promise<DeliveryWithLog> {
  const endpoint = await getWebhook(ctx, { actor, id });
  const delivery = isUuid(deliveryId) ? await findDelivery(ctx.db, endpoint, deliveryId) : undefined;
  const event = delivery && (await findEvent(ctx.db, delivery.eventId));
  if (!delivery || !event) throw new AppError('delivery_not_found');
  return { delivery, endpoint, event, attempts: await listAttempts(ctx.db, delivery.id) };
}
