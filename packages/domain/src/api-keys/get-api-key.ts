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

/** A key by its id, of the account that asks. */
export type OwnKey = { accountId: string; id: string };

/** Throws the same `api_key_not_found` for a missing key, another account's, and an id that is no UUID. */
export async function getApiKey(db: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return found(isUuid(id) ? await findApiKey(db, accountId, id) : undefined);
}

/** The same, locked until the transaction ends. */
export async function lockOwnApiKey(tx: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return found(isUuid(id) ? await lockApiKey(tx, accountId, id) : undefined);
}

function found(key: ApiKeyRow | undefined): ApiKeyRow {
  if (!key) throw new AppError('api_key_not_found');
  return key;
}

export type ApiKey = ApiKeyRow;

/** The keys of an account, the newest first; those that expired, too. */
export const listApiKeys = (ctx: Needs<'db'>, accountId: string): Promise<ApiKeyRow[]> => listRows(ctx.db, accountId);

/** Daily usage of a key (UTC), today last. Throws `api_key_not_found`. */
export async function getKeyUsage(ctx: Needs<'db'>, own: OwnKey): Promise<KeyDayRow[]> {
  const { id } = await getApiKey(ctx.db, own);
  return listKeyDays(ctx.db, id, limits.apiKeyUsageDays);
}

/** Delete a key and its counts. Its jobs remain. Throws `api_key_not_found`. */
export async function deleteApiKey(ctx: Needs<'db'>, { accountId, id }: OwnKey): Promise<void> {
  if (!isUuid(id) || !(await deleteRow(ctx.db, accountId, id))) throw new AppError('api_key_not_found');
}
