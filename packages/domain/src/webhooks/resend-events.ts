import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type EventRow, listEventsSince } from '@uprez/db/queries/webhooks/events';
import { insertDeliveries, type NewDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { EndpointRow } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { isFor, makeDelivery } from './fan-out.ts';
import { getWebhook, lockWebhook } from './get-webhook.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { requireOn } from './test-webhook.ts';

/** Rows of one statement. */
const together = 500;

/**
 * Send all events since a time again; returns how many. Throws `webhook_not_found`, `plan_feature`, `webhook_disabled`,
 * or `invalid_parameter` for a time in the future.
 */
export async function resendEvents(
  ctx: Needs<'db' | 'vault'>,
  { actor, id, since }: { actor: Actor; id: string; since: Date },
): Promise<number> {
  const found = await getWebhook(ctx, { actor, id });
  requireWebhooks(actor.tier, { sandbox: found.isSandbox });
  requireOn(found);
  if (since.getTime() > Date.now())
    throw new AppError('invalid_parameter', {
      detail: `"since" must be within the last ${limits.eventDays} days.`,
      param: 'since',
    });
  let sent = 0;
  let after = 0;
  for (;;) {
    const page = await ctx.db.transaction().execute(async (tx) => {
      // The lock prevents a deletion of the endpoint meanwhile.
      const endpoint = await lockWebhook(tx, actor, id);
      const events = await listEventsSince(tx, { accountId: actor.accountId, since, after, limit: together });
      const rows = events.flatMap((event) => deliveryOf(endpoint, event) ?? []);
      await insertDeliveries(tx, rows, true);
      return { events, sent: rows.length };
    });
    sent += page.sent;
    after = page.events.at(-1)?.position ?? after;
    if (page.events.length < together) return sent;
  }
}

function deliveryOf(endpoint: EndpointRow, event: EventRow): NewDelivery | undefined {
  if (endpoint.kind === 'endpoint') return isFor(endpoint, event) ? makeDelivery(endpoint, event) : undefined;
  const isOurs = event.webhookUrl !== null && event.isSandbox === endpoint.isSandbox;
  return isOurs ? makeDelivery(endpoint, event, event.webhookUrl) : undefined;
}
