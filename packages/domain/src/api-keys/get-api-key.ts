import { AppError } from '@uprez/contracts/errors/app-error';
import type { DbOrTx } from '@uprez/db/database';
import { type ApiKeyRow, findApiKey, lockApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { isUuid } from '../jobs/is-uuid.ts';

/** A key by its id, of the account that asks. */
export type OwnKey = { accountId: string; id: string };

/** Throws the same `api_key_not_found` for a missing key, another account's, and an id that is no UUID. */
export async function getApiKey(db: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return found(isUuid(id) ? await findApiKey(db, accountId, id) : undefined);
}

/** The same, held until the transaction ends. */
export async function lockOwnApiKey(tx: DbOrTx, { accountId, id }: OwnKey): Promise<ApiKeyRow> {
  return found(isUuid(id) ? await lockApiKey(tx, accountId, id) : undefined);
}

function found(key: ApiKeyRow | undefined): ApiKeyRow {
  if (!key) throw new AppError('api_key_not_found');
  return key;
}
