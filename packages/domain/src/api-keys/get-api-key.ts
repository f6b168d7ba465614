import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { DbOrTx } from '@uprez/db/database';
import {
  type ApiKeyRow,
  findApiKey,
  type KeyDayRow,
  listKeyDays,
  listApiKeys as listRows,
  lockApiKey,
} from '@uprez/db/queries/api-keys/api-keys';
import { deleteApiKey as deleteRow } from '@uprez/db/queries/api-keys/delete-api-keys';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';

/** ID of a key, and the account that must own it. */
export type OwnKey = { accountId: string; id: string };

/**
 * Returns a key of the account. Throws the same `api_key_not_found` for a missing key, another account's key, and an ID
 * that isn't a UUID.
 */
export async function getApiKey(db: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return requireFound(isUuid(id) ? await findApiKey(db, accountId, id) : undefined);
}

/** Like `getApiKey`, but locks the key until the transaction ends. */
export async function lockOwnApiKey(tx: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return requireFound(isUuid(id) ? await lockApiKey(tx, accountId, id) : undefined);
}

function requireFound(key: ApiKeyRow | undefined): ApiKeyRow {
  if (!key) throw new AppError('api_key_not_found');
  return key;
}

export type ApiKey = ApiKeyRow;

/** Returns all keys of an account, including expired ones, newest first. */
export const listApiKeys = (ctx: Needs<'db'>, accountId: string): Promise<ApiKeyRow[]> => listRows(ctx.db, accountId);

/** Returns the daily usage of a key (UTC), with today last. Throws `api_key_not_found`. */
export async function getKeyUsage(ctx: Needs<'db'>, own: OwnKey): Promise<KeyDayRow[]> {
  const { id } = await getApiKey(ctx.db, own);
  return listKeyDays(ctx.db, id, limits.apiKeyUsageDays);
}

/** Deletes a key and its usage counts. Its jobs remain. Throws `api_key_not_found`. */
export async function deleteApiKey(ctx: Needs<'db'>, { accountId, id }: OwnKey): Promise<void> {
  if (!isUuid(id) || !(await deleteRow(ctx.db, accountId, id))) throw new AppError('api_key_not_found');
}
