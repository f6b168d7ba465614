import { AppError } from '@uprez/contracts/errors/app-error';
import { findDelivery, type LoggedDelivery, restartDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { type DeliveryIds, getDelivery } from './get-delivery.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { requireOn } from './test-webhook.ts';

/**
 * Send a delivery now, whatever became of it; its attempts begin anew, its id stays. Throws what `getDelivery` does,
 * `plan_feature`, `webhook_disabled`.
 */
export async function resendDelivery(
  ctx: Needs<'db' | 'vault'>,
  { actor, ...ids }: { actor: Actor } & DeliveryIds,
): Promise<LoggedDelivery> {
  const { delivery, endpoint } = await getDelivery(ctx, { actor, ...ids });
  requireWebhooks(actor.tier, { sandbox: endpoint.isSandbox });
  requireOn(endpoint);
  await restartDelivery(ctx.db, delivery.id);
  const restarted = await findDelivery(ctx.db, endpoint, delivery.id);
  if (!restarted) throw new AppError('delivery_not_found');
  return restarted;
}
