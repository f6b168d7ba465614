import { AppError } from '@uprez/contracts/errors/app-error';
import type { TestEventData } from '@uprez/contracts/v1/events';
import { insertEvent } from '@uprez/db/queries/webhooks/events';
import { findDelivery, insertDeliveries } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { EndpointRow } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { feedTiers } from '../events/feed-tiers.ts';
import { makeDelivery } from './fan-out.ts';
import { lockWebhook } from './get-webhook.ts';
import { requireWebhooks } from './require-webhooks.ts';

/** Throws `webhook_disabled` for an endpoint that is disabled or has no URL. */
export function requireOn(endpoint: EndpointRow): void {
  if (!endpoint.isActive) throw new AppError('webhook_disabled');
}

/** Send a test event to an endpoint. Throws `webhook_not_found`, `plan_feature`, `webhook_disabled`. */
export async function testWebhook(ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }) {
  const logged = await ctx.db.transaction().execute(async (tx) => {
    const endpoint = await lockWebhook(tx, actor, id);
    requireWebhooks(actor.tier, { sandbox: endpoint.isSandbox });
    requireOn(endpoint);
    if (endpoint.kind === 'jobs')
      throw new AppError('webhook_disabled', {
        detail: 'The endpoint of single jobs can\'t be tested. Create a job with "webhook_url" instead.',
        hint: 'Create a job with "webhook_url" to receive its events.',
      });
    const event = { id: uuidv7(), accountId: actor.accountId, isSandbox: endpoint.isSandbox } as const;
    const data: TestEventData = { webhook_id: endpoint.id, message: 'This is a test event.' };
    await insertEvent(tx, { ...event, type: 'webhook.test', data }, feedTiers);
    const delivery = makeDelivery(endpoint, event);
    await insertDeliveries(tx, [delivery]);
    return findDelivery(tx, endpoint, delivery.id);
  });
  if (!logged) throw new AppError('plan_feature');
  return logged;
}
