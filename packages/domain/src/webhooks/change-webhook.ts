import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import type { Tx } from '@uprez/db/database';
import { lockUser } from '@uprez/db/queries/accounts/users';
import {
  changeEndpoint,
  disableEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  replaceEndpointSecret,
} from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { getWebhook, lockWebhook, makeWebhookSecret, webhookSecretPurpose } from './get-webhook.ts';
import { requireWebhooks, requireWebhookUrl } from './require-webhooks.ts';

type NewWebhook = { url: string; description: string; events: EventType[]; sandbox: boolean };
/** `secret` is shown only once. */
type CreatedWebhook = { endpoint: EndpointRow; secret: string };

/**
 * Creates an endpoint. Throws `plan_feature`, `email_unverified`, `webhook_limit`, `invalid_parameter` if a live key
 * requests sandbox events, or the errors of `requireWebhookUrl`.
 */
export async function createWebhook(
  ctx: Needs<'db' | 'vault' | 'network'>,
  { actor, ...input }: { actor: Actor } & NewWebhook,
): Promise<CreatedWebhook> {
  if (actor.key && input.sandbox && !isSandbox(actor))
    throw new AppError('invalid_parameter', {
      detail:
        'Live keys can create endpoints for live events only. For sandbox events, use a sandbox key or /v1/sandbox.',
      param: 'sandbox',
      allowed: 'false',
      got: 'true',
    });
  const sandbox = actor.key ? isSandbox(actor) : input.sandbox;
  requireWebhooks(actor.plan, { sandbox });
  const url = await requireWebhookUrl(ctx, { text: input.url, param: 'url', sandbox });
  const [id, secret] = [uuidv7(), makeWebhookSecret()];
  const endpoint = await ctx.db.transaction().execute(async (tx) => {
    await requireRoom(tx, actor.accountId);
    await insertEndpoint(tx, {
      id,
      accountId: actor.accountId,
      kind: 'endpoint',
      url,
      description: input.description,
      events: input.events,
      isSandbox: sandbox,
      secret: ctx.vault.seal(secret, webhookSecretPurpose),
    });
    return findEndpoint(tx, { accountId: actor.accountId, id });
  });
  if (!endpoint) throw new Error(`the endpoint ${id} is gone in its own transaction`);
  return { endpoint, secret };
}

/** Locks the user, because concurrent calls could otherwise exceed the limit. */
async function requireRoom(tx: Tx, accountId: string): Promise<void> {
  const owner = await lockUser(tx, accountId);
  if (!owner?.emailVerified) throw new AppError('email_unverified');
  const endpoints = (await listEndpoints(tx, accountId)).filter(({ kind }) => kind === 'endpoint');
  if (endpoints.length >= limits.webhooks)
    throw new AppError('webhook_limit', {
      detail: `You've reached the maximum of ${limits.webhooks} webhook endpoints. Delete one first.`,
      meta: { limit: limits.webhooks },
    });
}

/** Omitted fields keep their value. */
type WebhookChange = {
  url?: string | undefined;
  description?: string | undefined;
  events?: EventType[] | undefined;
  isActive?: boolean | undefined;
};

/**
 * Changes an endpoint. Throws `webhook_not_found`, `plan_feature`, `invalid_parameter`, or the errors of
 * `requireWebhookUrl`.
 */
export async function changeWebhook(
  ctx: Needs<'db' | 'vault' | 'network'>,
  { actor, id, ...change }: { actor: Actor } & WebhookChange & { id: string },
): Promise<EndpointRow> {
  const { isSandbox: sandbox } = await getWebhook(ctx, { actor, id });
  if (change.isActive !== false) requireWebhooks(actor.plan, { sandbox });
  const checked = { text: change.url ?? '', param: 'url', sandbox };
  const url = change.url === undefined ? undefined : await requireWebhookUrl(ctx, checked);
  return ctx.db.transaction().execute(async (tx) => {
    const before = await lockWebhook(tx, actor, id);
    if (before.kind === 'jobs')
      throw new AppError('invalid_parameter', {
        detail: "The endpoint for individual jobs can't be changed. You can rotate its secret.",
        param: 'id',
      });
    const { description, events } = change;
    const values = { url, description, events, ...(change.isActive && !before.isActive ? enabledColumns : {}) };
    const isChange = Object.values(values).some((value) => value !== undefined);
    const after = isChange ? await changeEndpoint(tx, before.id, values) : before;
    return change.isActive === false && before.isActive ? disableEndpoint(tx, before.id, 'owner') : after;
  });
}

const enabledColumns = { isActive: true, disabledReason: null, disabledAt: null, failingSince: null, toldAt: null };

/**
 * Replaces an endpoint's secret. During the overlap, deliveries are also signed with the previous secret. Throws
 * `webhook_not_found` or `plan_feature`.
 */
export async function rotateWebhookSecret(
  ctx: Needs<'db' | 'vault'>,
  {
    actor,
    id,
    overlapHours = limits.webhookOverlapHours,
  }: { actor: Actor; id: string; overlapHours?: number | undefined },
): Promise<CreatedWebhook> {
  const { isSandbox: sandbox } = await getWebhook(ctx, { actor, id });
  requireWebhooks(actor.plan, { sandbox });
  const secret = makeWebhookSecret();
  const endpoint = await ctx.db.transaction().execute(async (tx) => {
    const sealed = ctx.vault.seal(secret, webhookSecretPurpose);
    return replaceEndpointSecret(tx, await lockWebhook(tx, actor, id), {
      secret: sealed,
      overlapS: overlapHours * 3_600,
    });
  });
  return { endpoint, secret };
}
