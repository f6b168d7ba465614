import { randomBytes } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { jobsEndpoint, webhookSecretPrefix } from '@uprez/contracts/schemas/webhook-events';
import type { Tx } from '@uprez/db/database';
import {
  deleteEndpoint,
  type EndpointRow,
  type EndpointSelector,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
} from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';

export type Webhook = EndpointRow;

const selectorOf = (actor: Actor, id: string): EndpointSelector | undefined => {
  const { accountId } = actor;
  if (id === jobsEndpoint) return { accountId, jobsOfSandbox: isSandbox(actor) };
  return isUuid(id) ? { accountId, id } : undefined;
};

/**
 * Whether an actor may see an endpoint. A live key sees only live endpoints, and a sandbox key sees only sandbox
 * endpoints. A browser session sees both.
 */
const isVisible = (actor: Actor, endpoint: EndpointRow) => !actor.key || endpoint.isSandbox === isSandbox(actor);

function requireVisibleWebhook(actor: Actor, endpoint: EndpointRow | undefined): EndpointRow {
  if (!endpoint || !isVisible(actor, endpoint)) throw new AppError('webhook_not_found');
  return endpoint;
}

/**
 * Returns an endpoint by ID, or by the name `jobs`. Throws the same `webhook_not_found` for invalid IDs and for
 * endpoints of other accounts.
 */
export async function getWebhook(ctx: Needs<'db' | 'vault'>, { actor, id }: { actor: Actor; id: string }) {
  if (id === jobsEndpoint) await ensureJobsEndpoint(ctx, { actor });
  const name = selectorOf(actor, id);
  return requireVisibleWebhook(actor, name && (await findEndpoint(ctx.db, name)));
}

/** Returns an endpoint, locked until the transaction ends. Throws `webhook_not_found`. */
export async function lockWebhook(tx: Tx, actor: Actor, id: string): Promise<EndpointRow> {
  const name = selectorOf(actor, id);
  return requireVisibleWebhook(actor, name && (await lockEndpoint(tx, name)));
}

export const listVisible = (actor: Actor, endpoints: readonly EndpointRow[]): EndpointRow[] =>
  endpoints.filter((endpoint) => isVisible(actor, endpoint));

/** Returns an account's endpoints that the actor may see, newest first. */
export const listWebhooks = async (ctx: Needs<'db'>, { actor }: { actor: Actor }): Promise<EndpointRow[]> =>
  listVisible(actor, await listEndpoints(ctx.db, actor.accountId));

/** Deletes an endpoint with its log and pending deliveries. Throws `webhook_not_found`. */
export const deleteWebhook = (ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const { id: own } = await lockWebhook(tx, actor, id);
    await deleteEndpoint(tx, own);
  });

/**
 * Creates the endpoint for the webhook URLs of individual jobs, if the plan includes webhooks and the endpoint doesn't
 * exist yet.
 */
export async function ensureJobsEndpoint(ctx: Needs<'db' | 'vault'>, { actor }: { actor: Actor }): Promise<void> {
  const { accountId } = actor;
  if (!checkPlanLimits(actor.plan, { what: 'webhooks', sandbox: isSandbox(actor) }).ok) return;
  if (await findEndpoint(ctx.db, { accountId, jobsOfSandbox: isSandbox(actor) })) return;
  await insertEndpoint(ctx.db, {
    id: uuidv7(),
    accountId,
    kind: 'jobs',
    isSandbox: isSandbox(actor),
    secret: ctx.vault.seal(makeWebhookSecret(), webhookSecretPurpose),
  });
}

export const webhookSecretPurpose = 'webhook secret';

export const makeWebhookSecret = (): string => webhookSecretPrefix + randomBytes(32).toString('base64');
