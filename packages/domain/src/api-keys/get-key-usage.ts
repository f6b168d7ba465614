import { limits } from '@uprez/contracts/policy/limits';
import { type KeyDayRow, listKeyDays } from '@uprez/db/queries/api-keys/api-key-days';
import type { Needs } from '../context.ts';
import { getApiKey, type OwnKey } from './get-api-key.ts';

/** What a key did on each of the last days (UTC), today last. Throws `api_key_not_found`. */
export async function getKeyUsage(ctx: Needs<'db'>, own: OwnKey): Promise<KeyDayRow[]> {
  const { id } = await getApiKey(ctx.db, own);
  return listKeyDays(ctx.db, id, limits.apiKeyUsageDays);
}
