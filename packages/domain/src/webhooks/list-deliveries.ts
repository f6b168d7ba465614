import { limits } from '@uprez/contracts/policy/limits';
import type { DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import { type LoggedDelivery, listDeliveries as listRows } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { getWebhook } from './get-webhook.ts';

/** A delivery with its event's type and the outcome of its last attempt. */
export type Delivery = LoggedDelivery;

export type DeliveryFilter = {
  id: string;
  status?: DeliveryStatus | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** One page of what was sent to an endpoint, the newest first. Throws `webhook_not_found`. */
export async function listDeliveries(
  ctx: Needs<'db' | 'vault'>,
  { actor, id, status, limit = limits.pageRows, cursor: before }: { actor: Actor } & DeliveryFilter,
): Promise<{ deliveries: LoggedDelivery[]; nextCursor: string | null }> {
  const rows = await listRows(ctx.db, await getWebhook(ctx, { actor, id }), { status, before, limit: limit + 1 });
  const deliveries = rows.slice(0, limit);
  return { deliveries, nextCursor: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}
