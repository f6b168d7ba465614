import { randomBytes } from 'node:crypto';
import { may } from '@uprez/contracts/policy/may';
import { webhookSecretPrefix } from '@uprez/contracts/schemas/webhook-events';
import { findEndpoint, insertEndpoint } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';

/** Create the endpoint for webhook URLs of single jobs, if the plan has webhooks and there is none. */
export async function ensureJobsEndpoint(ctx: Needs<'db' | 'vault'>, { actor }: { actor: Actor }): Promise<void> {
  const { accountId } = actor;
  if (!may(actor.tier, { what: 'webhooks', sandbox: isSandbox(actor) }).ok) return;
  if (await findEndpoint(ctx.db, { accountId, jobsOfSandbox: isSandbox(actor) })) return;
  await insertEndpoint(ctx.db, {
    id: uuidv7(),
    accountId: accountId,
    kind: 'jobs',
    isSandbox: isSandbox(actor),
    secret: ctx.vault.seal(makeSecret(), secretPurpose),
  });
}

const secretBytes = 32;
export const secretPurpose = 'webhook secret';

export const makeSecret = (): string => webhookSecretPrefix + randomBytes(secretBytes).toString('base64');
