import { AppError } from '@uprez/contracts/errors/app-error';
import { dailyLimits } from '@uprez/contracts/policy/daily-limits';
import { limits } from '@uprez/contracts/policy/limits';
import type { DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import type { TestEventData } from '@uprez/contracts/v1/events';
import { type EventRow, findEvent, listEventsSince } from '@uprez/db/queries/webhooks/events';
import {
  findDelivery,
  insertDeliveries,
  type LoggedDelivery,
  listAttempts,
  listDeliveries as listRows,
  type NewDelivery,
  restartDelivery,
} from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { EndpointRow } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';
import { type Actor, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { consumeDailyLimit } from '../count-daily.ts';
import { recordEvent } from '../events/record-event.ts';
import { isSubscribed, makeDelivery } from './fan-out.ts';
import { getWebhook, lockWebhook } from './get-webhook.ts';
import { requireWebhooks } from './require-webhooks.ts';

type DeliveryIds = { id: string; deliveryId: string };
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

export type Delivery = LoggedDelivery;

type DeliveryFilter = {
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

function requireActive(endpoint: EndpointRow): void {
  if (!endpoint.isActive) throw new AppError('webhook_disabled');
}

/**
 * Sends a test event to an endpoint. Throws `webhook_not_found`, `plan_feature`, `webhook_disabled`, or `rate_limited`.
 */
export async function testWebhook(ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }) {
  const logged = await ctx.db.transaction().execute(async (tx) => {
    const endpoint = await lockWebhook(tx, actor, id);
    requireWebhooks(actor.plan, { sandbox: endpoint.isSandbox });
    requireActive(endpoint);
    if (endpoint.kind === 'jobs')
      throw new AppError('webhook_disabled', {
        detail: 'The endpoint for individual jobs can\'t be tested. Create a job with "webhook_url" instead.',
        hint: 'Create a job with "webhook_url" to receive its events.',
      });
    const { accountId } = actor;
    await consumeDailyLimit(tx, { accountId, name: 'webhook_tests', max: dailyLimits.webhookTests });
    const event = { id: uuidv7(), accountId, isSandbox: endpoint.isSandbox } as const;
    const data: TestEventData = { webhook_id: endpoint.id, message: 'This is a test event.' };
    await recordEvent(tx, { ...event, type: 'webhook.test', data });
    const delivery = makeDelivery(endpoint, event);
    await insertDeliveries(tx, [delivery]);
    return findDelivery(tx, endpoint, delivery.id);
  });
  if (!logged) throw new AppError('plan_feature');
  return logged;
}

const pageSize = 500;

/**
 * Sends all events since a time again and returns how many. Throws `webhook_not_found`, `plan_feature`,
 * `webhook_disabled`, or `invalid_parameter` for a time in the future.
 */
export async function resendEvents(
  ctx: Needs<'db' | 'vault'>,
  { actor, id, since }: { actor: Actor; id: string; since: Date },
): Promise<number> {
  const found = await getWebhook(ctx, { actor, id });
  requireWebhooks(actor.plan, { sandbox: found.isSandbox });
  requireActive(found);
  if (since.getTime() > Date.now())
    throw new AppError('invalid_parameter', {
      detail: `"since" must be within the last ${limits.eventDays} days.`,
      param: 'since',
    });
  let sent = 0;
  let after = 0;
  for (;;) {
    const page = await ctx.db.transaction().execute(async (tx) => {
      // The lock prevents the endpoint from being deleted in the meantime.
      const endpoint = await lockWebhook(tx, actor, id);
      const events = await listEventsSince(tx, { accountId: actor.accountId, since, after, limit: pageSize });
      const rows = events.flatMap((event) => deliveryOf(endpoint, event) ?? []);
      await insertDeliveries(tx, rows, true);
      return { events, sent: rows.length };
    });
    sent += page.sent;
    after = page.events.at(-1)?.position ?? after;
    if (page.events.length < pageSize) return sent;
  }
}

function deliveryOf(endpoint: EndpointRow, event: EventRow): NewDelivery | undefined {
  if (endpoint.kind === 'endpoint') return isSubscribed(endpoint, event) ? makeDelivery(endpoint, event) : undefined;
  const isOurs = event.webhookUrl !== null && event.isSandbox === endpoint.isSandbox;
  return isOurs ? makeDelivery(endpoint, event, event.webhookUrl) : undefined;
}
