import { deleteEndpoint } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { lockWebhook } from './get-webhook.ts';

/** Delete an endpoint with its log; what is on its way is not delivered. Throws `webhook_not_found`. */
export const deleteWebhook = (ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const { id: own } = await lockWebhook(tx, actor, id);
    await deleteEndpoint(tx, own);
  });
