import { AppError } from '@uprez/contracts/errors/app-error';
import { dailyLimits } from '@uprez/contracts/policy/daily-limits';
import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans/plans';
import type { KeyKind } from '@uprez/contracts/policy/sandbox';
import type { KeyScope } from '@uprez/contracts/schemas/api-keys';
import { formatAlternatives, pluralize } from '@uprez/contracts/texts/format';
import type { Tx } from '@uprez/db/database';
import { lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import {
  type ApiKeyRow,
  countCurrentTestKeys,
  countUnexpiredApiKeys,
  findApiKey,
  insertApiKey,
} from '@uprez/db/queries/api-keys/api-keys';
import { deleteOldApiKeys } from '@uprez/db/queries/api-keys/delete-api-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { consumeDailyLimit } from '../count-daily.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { createKeySecret, hashKeySecret, previewKeySecret } from './key-secret.ts';

/** Throws `not_signed_in`, `plan_feature`, `email_unverified`, `rate_limited`, or `api_key_limit`. */
export const createApiKey = (ctx: Needs<'db'>, facts: KeyFacts): Promise<CreatedKey> =>
  ctx.db.transaction().execute(async (tx) => {
    const owner = await lockKeyOwner(tx, facts.accountId);
    requireKeyPermission(owner, facts.kind);
    const created = await insertKey(tx, facts);
    await requireKeyCapacity(tx, facts.accountId);
    if (!checkPlanLimits(planOf(owner), { what: 'api' }).ok) await requireSandboxKeyCapacity(tx, facts.accountId);
    return created;
  });

/** `secret` is shown once and not stored. */
export type CreatedKey = { key: ApiKeyRow; secret: string };

/**
 * Optional limits of a key. A null or absent limit isn't enforced. `monthlyCap` is in units per calendar month (UTC).
 * `addresses` lists the IP addresses and networks that may use the key. An empty list allows all. `allowedOrigins`
 * lists the origins that may use the key from a browser, in addition to the origins in the security settings.
 */
export type KeyLimits = {
  expiresAt?: Date | null | undefined;
  monthlyCap?: number | null | undefined;
  callsPerMinute?: number | null | undefined;
  addresses?: readonly string[] | undefined;
  allowedOrigins?: readonly string[] | undefined;
};

export type KeyFacts = {
  accountId: string;
  name: string;
  kind: KeyKind;
  scopes: readonly KeyScope[];
} & KeyLimits;

const apiPlanNames = formatAlternatives(
  tiers
    .filter((tier) => checkPlanLimits(currentPlans[tier], { what: 'api' }).ok)
    .map((tier) => currentPlans[tier].name),
);

/**
 * Throws `plan_feature` for a live key if the plan doesn't include the public API. The error names the smallest plan
 * that includes it. Sandbox keys work on every plan.
 */
export function requireApiPlan(plan: Plan, kind: KeyKind): void {
  const permission = checkPlanLimits(plan, { what: 'api', sandbox: kind === 'test' });
  if (permission.ok) return;
  throw new AppError('plan_feature', {
    detail: `Your plan doesn't include the API. Upgrade to ${apiPlanNames}.`,
    hint: 'Upgrade to a plan that includes the API, or use a sandbox key.',
    meta: { unlockedBy: permission.unlockedBy },
  });
}

/**
 * Locks an account before a key is created. Otherwise, two simultaneous calls could both take its last free slot.
 * Throws `not_signed_in` if the account was deleted or suspended.
 */
export async function lockKeyOwner(tx: Tx, accountId: string): Promise<UserRow> {
  const owner = await lockUser(tx, accountId);
  if (!owner || owner.suspendedAt) throw new AppError('not_signed_in');
  return owner;
}

/** Throws `plan_feature` if the plan doesn't include this kind of key, or `email_unverified`. */
export function requireKeyPermission(owner: UserRow, kind: KeyKind): void {
  requireApiPlan(planOf(owner), kind);
  if (!owner.emailVerified) throw new AppError('email_unverified');
}

/**
 * Inserts a key and queues an email about it. Throws `rate_limited` after too many new keys in a day, or
 * `invalid_parameter` if the expiration is in the past.
 */
export async function insertKey(tx: Tx, facts: KeyFacts): Promise<CreatedKey> {
  const { accountId, name, kind, expiresAt, monthlyCap, callsPerMinute } = facts;
  await consumeDailyLimit(tx, { accountId, name: 'api_keys', max: dailyLimits.apiKeys });
  const { addresses = [], allowedOrigins = [] } = facts;
  const [id, secret] = [uuidv7(), createKeySecret(kind)];
  const preview = previewKeySecret(secret);
  const limited = { expiresAt, monthlyCap, callsPerMinute, scopes: [...facts.scopes] };
  const lists = { addresses: [...addresses], allowedOrigins: [...allowedOrigins] };
  await insertApiKey(tx, {
    id,
    accountId,
    name,
    kind,
    secretHash: hashKeySecret(secret),
    preview,
    ...limited,
    ...lists,
  });
  const key = await findApiKey(tx, accountId, id);
  if (!key) throw new Error(`the key ${id} is gone in its own transaction`);
  requireFutureExpiration(key);
  await queueMail(tx, accountId, { mail: 'api_key_created', name, preview, at: key.createdAt.toISOString() });
  return { key, secret };
}

/** Throws `invalid_parameter` if a new expiration is in the past, which means that the key has already expired. */
export function requireFutureExpiration({ isExpired }: ApiKeyRow): void {
  if (!isExpired) return;
  throw new AppError('invalid_parameter', { param: 'expiresAt', detail: 'The expiration must be in the future.' });
}

/**
 * Throws `api_key_limit` if the account exceeds its key limit after a key was inserted. Also deletes old expired keys.
 */
export async function requireKeyCapacity(tx: Tx, accountId: string): Promise<void> {
  if ((await countUnexpiredApiKeys(tx, accountId)) > limits.apiKeys)
    throw new AppError('api_key_limit', {
      detail: `You've reached the maximum of ${limits.apiKeys} API keys. Delete one first.`,
      meta: { limit: limits.apiKeys },
    });
  await deleteOldApiKeys(tx, accountId, limits.apiKeys);
}

/**
 * Throws `api_key_limit` if the account exceeds its sandbox key limit after a key was inserted. Only plans without the
 * public API have this limit.
 */
async function requireSandboxKeyCapacity(tx: Tx, accountId: string): Promise<void> {
  if ((await countCurrentTestKeys(tx, accountId)) <= limits.sandboxKeys) return;
  throw new AppError('api_key_limit', {
    detail: `Your plan includes ${pluralize(limits.sandboxKeys, 'sandbox key')}. Rotate or delete it, or upgrade to ${apiPlanNames}.`,
    meta: { limit: limits.sandboxKeys },
  });
}
