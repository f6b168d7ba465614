import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import type { DbOrTx } from '@uprez/db/database';
import {
  type ApiKeyRow,
  findApiKey,
  type KeyDayRow,
  listKeyDays,
  listApiKeys as listRows,
  lockApiKey,
  replaceApiKey,
  updateApiKey,
} from '@uprez/db/queries/api-keys/api-keys';
import { deleteApiKey as deleteRow } from '@uprez/db/queries/api-keys/delete-api-keys';
import { readClock } from '@uprez/db/times';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import {
  type CreatedKey,
  insertKey,
  type KeyLimits,
  lockKeyOwner,
  requireFutureExpiration,
  requireKeyCapacity,
  requireKeyPermission,
} from './create-api-key.ts';

type OwnKey = { accountId: string; id: string };

/** Throws the same `api_key_not_found` for a missing key, another account's key, and an ID that isn't a UUID. */
async function getApiKey(db: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return requireKey(isUuid(id) ? await findApiKey(db, accountId, id) : undefined);
}

async function lockOwnApiKey(tx: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return requireKey(isUuid(id) ? await lockApiKey(tx, accountId, id) : undefined);
}

function requireKey(key: ApiKeyRow | undefined): ApiKeyRow {
  if (!key) throw new AppError('api_key_not_found');
  return key;
}

export type ApiKey = ApiKeyRow;

/** Returns all keys of an account, including expired ones, newest first. */
export const listApiKeys = (ctx: Needs<'db'>, accountId: string): Promise<ApiKeyRow[]> => listRows(ctx.db, accountId);

/** Returns a key's usage for each day (UTC), ending with today. Throws `api_key_not_found`. */
export async function getKeyUsage(ctx: Needs<'db'>, own: OwnKey): Promise<KeyDayRow[]> {
  const { id } = await getApiKey(ctx.db, own);
  return listKeyDays(ctx.db, id, limits.apiKeyUsageDays);
}

/** Deletes a key and its usage counts. Its jobs remain. Throws `api_key_not_found`. */
export async function deleteApiKey(ctx: Needs<'db'>, { accountId, id }: OwnKey): Promise<void> {
  if (!isUuid(id) || !(await deleteRow(ctx.db, accountId, id))) throw new AppError('api_key_not_found');
}

/** Fields of a key to change. Absent fields stay unchanged. Null removes one of the key's limits. */
export type KeyChange = { name?: string | undefined; isActive?: boolean | undefined } & KeyLimits;

/**
 * Changes a key. Throws `api_key_not_found`, `invalid_parameter` for an expiration in the past, or `api_key_replaced`
 * if the expiration of a replaced key would change.
 */
export const changeApiKey = (ctx: Needs<'db'>, { change, ...own }: { change: KeyChange } & OwnKey) =>
  ctx.db.transaction().execute(async (tx) => {
    const before = await lockOwnApiKey(tx, own);
    if (change.expiresAt !== undefined && before.replacedBy !== null) throw new AppError('api_key_replaced');
    const { name, isActive, expiresAt, monthlyCap, callsPerMinute } = change;
    const addresses = change.addresses && [...change.addresses];
    const allowedOrigins = change.allowedOrigins && [...change.allowedOrigins];
    const values = { name, isActive, expiresAt, monthlyCap, callsPerMinute, addresses, allowedOrigins };
    if (Object.values(values).every((value) => value === undefined)) return before;
    await updateApiKey(tx, own.id, values);
    const after = await getApiKey(tx, own);
    if (expiresAt !== undefined) requireFutureExpiration(after);
    return after;
  });

/**
 * Replaces a key with a new one that has the same limits. The former key keeps working for `overlapHours` hours. Throws
 * `api_key_replaced` if the key was replaced before.
 */
export const rotateApiKey = (
  ctx: Needs<'db'>,
  { overlapHours = limits.apiKeyOverlapHours, ...own }: { overlapHours?: number | undefined } & OwnKey,
): Promise<CreatedKey> =>
  ctx.db.transaction().execute(async (tx) => {
    const owner = await lockKeyOwner(tx, own.accountId);
    const former = await lockOwnApiKey(tx, own);
    requireKeyPermission(owner, former.kind);
    if (former.replacedBy !== null) throw new AppError('api_key_replaced');
    const { createdAt, expiresAt: end, scopes: held } = former;
    const expiresAt = end && new Date((await readClock(tx)).getTime() + end.getTime() - createdAt.getTime());
    const scopes = keyScopes.filter((scope) => held.includes(scope));
    const created = await insertKey(tx, { ...former, scopes, expiresAt });
    await replaceApiKey(tx, own.id, { byId: created.key.id, overlapS: overlapHours * 3_600 });
    await requireKeyCapacity(tx, own.accountId);
    return created;
  });
