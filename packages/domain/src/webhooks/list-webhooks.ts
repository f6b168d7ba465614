import { type EndpointRow, listEndpoints } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { listSeen } from './get-webhook.ts';

/** The endpoints of an account that the actor sees, the newest first. */
export const listWebhooks = async (ctx: Needs<'db'>, { actor }: { actor: Actor }): Promise<EndpointRow[]> =>
  listSeen(actor, await listEndpoints(ctx.db, actor.accountId));
