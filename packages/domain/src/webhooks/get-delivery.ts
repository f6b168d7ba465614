import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import { type EventRow, findEvent } from '@uprez/db/queries/webhooks/events';
import {
  findDelivery,
  type LoggedDelivery,
  listAttempts,
  listDeliveries as listRows,
  restartDelivery,
} from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { EndpointRow } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { type Actor, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { getWebhook } from './get-webhook.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { requireActive } from './resend-events.ts';

export type DeliveryIds = { id: string; deliveryId: string };
export type DeliveryWithLog = {
  delivery: LoggedDelivery;
  endpoint: EndpointRow;
  event: EventRow;
  attempts: Awaited<ReturnType<typeof listAttempts>>;
};

/** Returns a delivery with its event and its attempts. Throws `webhook_not_found` or `delivery_not_found`. */
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

/** A delivery with its event's type and the outcome of its last attempt. */
export type Delivery = LoggedDelivery;

export type DeliveryFilter = {
  id: string;
  status?: DeliveryStatus | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** Returns one page of an endpoint's deliveries, newest first. Throws `webhook_not_found`. */
export async function listDeliveries(
  ctx: Needs<'db' | 'vault'>,
  { actor, id, status, limit = limits.pageRows, cursor: before }: { actor: Actor } & DeliveryFilter,
): Promise<{ deliveries: LoggedDelivery[]; nextCursor: string | null }> {
  const rows = await listRows(ctx.db, await getWebhook(ctx, { actor, id }), { status, before, limit: limit + 1 });
  const deliveries = rows.slice(0, limit);
  return { deliveries, nextCursor: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}

/**
 * Sends a delivery again with the same ID. Throws `webhook_not_found`, `delivery_not_found`, `plan_feature`, or
 * `webhook_disabled`.
 */
export async function resendDelivery(ctx: Needs<'db' | 'vault'>, { actor, ...ids }: { actor: Actor } & DeliveryIds) {
  const { delivery, endpoint } = await getDelivery(ctx, { actor, ...ids });
  requireWebhooks(actor.plan, { sandbox: endpoint.isSandbox });
  requireActive(endpoint);
  await restartDelivery(ctx.db, delivery.id);
  const restarted = await findDelivery(ctx.db, endpoint, delivery.id);
  if (!restarted) throw new AppError('delivery_not_found');
  return restarted;
}
