import { limits } from '@uprez/contracts/policy/limits';
import { replaceSecret } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import type { CreatedWebhook } from './create-webhook.ts';
import { makeSecret, secretPurpose } from './ensure-jobs-endpoint.ts';
import { getWebhook, lockWebhook } from './get-webhook.ts';
import { requireWebhooks } from './require-webhooks.ts';

export type Rotation = { id: string; overlapHours?: number | undefined };

/**
 * Replace the secret of an endpoint. The former one also signs during the overlap. Throws `webhook_not_found`,
 * `plan_feature`.
 */
export async function rotateWebhookSecret(
  ctx: Needs<'db' | 'vault'>,
  { actor, id, overlapHours = limits.webhookOverlapHours }: { actor: Actor } & Rotation,
): Promise<CreatedWebhook> {
  const { isSandbox: sandbox } = await getWebhook(ctx, { actor, id });
  requireWebhooks(actor.tier, { sandbox });
  const secret = makeSecret();
  const endpoint = await ctx.db.transaction().execute(async (tx) => {
    const sealed = ctx.vault.seal(secret, secretPurpose);
    return replaceSecret(tx, await lockWebhook(tx, actor, id), { secret: sealed, overlapS: overlapHours * 3_600 });
  });
  return { endpoint, secret };
}
