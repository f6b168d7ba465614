import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { isExpired } from './api-keys.ts';

/** The allowed origins of all active keys, each once. */
export async function listKeyOrigins(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select distinct unnest(allowed_origins) as origin from api_keys
    where allowed_origins <> '{}' and deleted_at is null and is_active and not ${isExpired}`.execute(db);
  return rows.map(({ origin }) => origin);
}

/** The allowed origins of a key that isn't deleted. */
export async function findKeyOrigins(db: DbOrTx, id: string): Promise<string[]> {
  const key = await db
    .selectFrom('apiKeys')
    .select('allowedOrigins')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return key?.allowedOrigins ?? [];
}
