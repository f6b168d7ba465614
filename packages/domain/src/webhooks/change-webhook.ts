import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import {
  changeEndpoint,
  disableEndpoint,
  type EndpointRow,
  replaceSecret,
} from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import type { CreatedWebhook } from './create-webhook.ts';
import { getWebhook, lockWebhook, makeWebhookSecret, webhookSecretPurpose } from './get-webhook.ts';
import { requireWebhooks, requireWebhookUrl } from './require-webhooks.ts';

/** Omitted fields keep their value. */
export type WebhookChange = {
  url?: string | undefined;
  description?: string | undefined;
  events?: EventType[] | undefined;
  isActive?: boolean | undefined;
};

/** Changes an endpoint. Throws `webhook_not_found`, `plan_feature`, `invalid_parameter`, or an error of its URL. */
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
    const values = { url, description, events, ...(change.isActive && !before.isActive ? switchedOn : {}) };
    const isChange = Object.values(values).some((value) => value !== undefined);
    const after = isChange ? await changeEndpoint(tx, before.id, values) : before;
    return change.isActive === false && before.isActive ? disableEndpoint(tx, before.id, 'owner') : after;
  });
}

const switchedOn = { isActive: true, disabledReason: null, disabledAt: null, failingSince: null, toldAt: null };

/**
 * Replaces a secret. The previous secret also signs during the overlap. Throws `webhook_not_found` or `plan_feature`.
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
    return replaceSecret(tx, await lockWebhook(tx, actor, id), { secret: sealed, overlapS: overlapHours * 3_600 });
  });
  return { endpoint, secret };
}
