import { AppError } from '@uprez/contracts/app-error';
import { limits } from '@uprez/contracts/limits';
import { listEventsSince } from '@uprez/db/queries/events';
import { insertDeliveries } from '@uprez/db/queries/webhook-deliveries';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { isFor, makeDelivery } from './fan-out.ts';
import { getWebhook } from './get-webhook.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { requireOn } from './test-webhook.ts';

/** Rows of one statement. */
const together = 500;

/**
 * Send all events since a time to an endpoint, whether they reached it or not: what it missed while it was away. Answers
 * how many. Throws `webhook_not_found`, `plan_feature`, `webhook_disabled`, `invalid_parameter` for a time to come.
 */
export async function resendEvents(
  ctx: Needs<'db' | 'vault'>,
  actor: Actor,
  { id, since }: { id: string; since: Date },
): Promise<number> {
  const endpoint = await getWebhook(ctx, actor, id);
  requireWebhooks(actor.tier);
  requireOn(endpoint);
  if (since.getTime() > Date.now())
    throw new AppError('invalid_parameter', {
      detail: `"since" is a time of the last ${limits.eventDays} days.`,
      param: 'since',
    });
  let sent = 0;
  let after = 0;
  for (;;) {
    const events = await listEventsSince(ctx.db, { accountId: actor.accountId, since, after, limit: together });
    const rows = events.flatMap((event) => {
      if (endpoint.kind === 'endpoint') return isFor(endpoint, event) ? [makeDelivery(endpoint, event)] : [];
      const isOurs = event.webhook_url !== null && event.is_sandbox === endpoint.is_sandbox;
      return isOurs ? [makeDelivery(endpoint, event, event.webhook_url)] : [];
    });
    await insertDeliveries(ctx.db, rows, true);
    sent += rows.length;
    after = events.at(-1)?.position ?? after;
    if (events.length < together) return sent;
  }
}
