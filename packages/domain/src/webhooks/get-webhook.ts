import { AppError } from '@uprez/contracts/errors/app-error';
import { jobsEndpoint } from '@uprez/contracts/schemas/webhook-events';
import type { DbOrTx, Tx } from '@uprez/db/database';
import {
  deleteEndpoint,
  type EndpointName,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
} from '@uprez/db/queries/webhooks/webhook-endpoints';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { isUuid } from '../is-uuid.ts';
import { ensureJobsEndpoint } from './ensure-jobs-endpoint.ts';

/** A webhook endpoint. */
export type Webhook = EndpointRow;

const nameOf = (actor: Actor, id: string): EndpointName | undefined => {
  const { accountId } = actor;
  if (id === jobsEndpoint) return { accountId, jobsOfSandbox: isSandbox(actor) };
  return isUuid(id) ? { accountId, id } : undefined;
};

/** A key sees the endpoints of its world, a browser all. */
const isSeen = (actor: Actor, endpoint: EndpointRow) => !actor.key || endpoint.isSandbox === isSandbox(actor);

function seen(actor: Actor, endpoint: EndpointRow | undefined): EndpointRow {
  if (!endpoint || !isSeen(actor, endpoint)) throw new AppError('webhook_not_found');
  return endpoint;
}

/**
 * Find an endpoint by ID, or by the name `jobs`. Throws the same `webhook_not_found` for other accounts and invalid
 * IDs.
 */
export async function getWebhook(ctx: Needs<'db' | 'vault'>, { actor, id }: { actor: Actor; id: string }) {
  if (id === jobsEndpoint) await ensureJobsEndpoint(ctx, { actor });
  return findOwn(ctx.db, actor, id);
}

async function findOwn(db: DbOrTx, actor: Actor, id: string): Promise<EndpointRow> {
  const name = nameOf(actor, id);
  return seen(actor, name && (await findEndpoint(db, name)));
}

/** The same, held until the transaction ends. */
export async function lockWebhook(tx: Tx, actor: Actor, id: string): Promise<EndpointRow> {
  const name = nameOf(actor, id);
  return seen(actor, name && (await lockEndpoint(tx, name)));
}

export const listSeen = (actor: Actor, endpoints: readonly EndpointRow[]): EndpointRow[] =>
  endpoints.filter((endpoint) => isSeen(actor, endpoint));

/** The endpoints of an account that the actor sees, the newest first. */
export const listWebhooks = async (ctx: Needs<'db'>, { actor }: { actor: Actor }): Promise<EndpointRow[]> =>
  listSeen(actor, await listEndpoints(ctx.db, actor.accountId));

/** Delete an endpoint with its log and pending deliveries. Throws `webhook_not_found`. */
export const deleteWebhook = (ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const { id: own } = await lockWebhook(tx, actor, id);
    await deleteEndpoint(tx, own);
  });
