import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';
import type { UsersTable } from '../../tables/account-tables.ts';
import type { ApiKeysTable } from '../../tables/api-key-tables.ts';
import { afterSeconds, monthStart, now } from '../../times.ts';

/** `isExpired` by the database's clock; `unitsThisMonth`: of the calendar month (UTC). */
export type ApiKeyRow = Omit<Selectable<ApiKeysTable>, 'secretHash'> & { isExpired: boolean; unitsThisMonth: number };

const columns = [
  'id',
  'accountId',
  'name',
  'kind',
  'preview',
  'scopes',
  'isActive',
  'expiresAt',
  'monthlyCap',
  'callsPerMinute',
  'addresses',
  'usageCount',
  'lastUsedAt',
  'lastAddress',
  'replacedBy',
  'createdAt',
] as const;
const isExpired = sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`;
const unitsThisMonth = sql<number>`coalesce((select sum(units) from api_key_days
  where key_id = api_keys.id and day >= ${monthStart}), 0)::integer`;

const selectKeys = (db: DbOrTx) =>
  db
    .selectFrom('apiKeys')
    .select(columns.map((column) => `apiKeys.${column}` as const))
    .select([isExpired.as('isExpired'), unitsThisMonth.as('unitsThisMonth')]);

/** The keys of an account, the newest first. */
export const listApiKeys = (db: DbOrTx, accountId: string): Promise<ApiKeyRow[]> =>
  selectKeys(db).where('accountId', '=', accountId).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();

/** A key of the account. */
export const findApiKey = (db: DbOrTx, accountId: string, id: string): Promise<ApiKeyRow | undefined> =>
  selectKeys(db).where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst();

/** Lock an API key, then read it: a statement that waits for a row sees other tables as of before the wait. */
export async function lockApiKey(tx: DbOrTx, accountId: string, id: string): Promise<ApiKeyRow | undefined> {
  await tx
    .selectFrom('apiKeys')
    .select('id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .execute();
  return findApiKey(tx, accountId, id);
}

export const insertApiKey = (db: DbOrTx, row: Insertable<ApiKeysTable>) =>
  db.insertInto('apiKeys').values(row).execute();

export const updateApiKey = (db: DbOrTx, id: string, values: UpdateObject<Tables, 'apiKeys'>) =>
  db.updateTable('apiKeys').set(values).where('id', '=', id).execute();

/** Let a key end in so many seconds, unless it ends sooner, and name the one in its place. */
export const replaceApiKey = (db: DbOrTx, id: string, { byId, overlapS }: { byId: string; overlapS: number }) =>
  updateApiKey(db, id, { replacedBy: byId, expiresAt: sql<Date>`least(expires_at, ${afterSeconds(overlapS)})` });

/** Undefined: the account has no such key. */
export const deleteApiKey = (db: DbOrTx, accountId: string, id: string) =>
  db.deleteFrom('apiKeys').where('id', '=', id).where('accountId', '=', accountId).returning('id').executeTakeFirst();

/** The keys of an account that have not expired. */
export async function countLivingApiKeys(db: DbOrTx, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Delete the expired keys of an account except the last few. */
export const deleteOldApiKeys = (db: DbOrTx, accountId: string, kept: number) =>
  db
    .deleteFrom('apiKeys')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('apiKeys')
        .select('id')
        .where('accountId', '=', accountId)
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt', 'desc')
        .offset(kept),
    )
    .execute();

export type KeyWithAccount = ApiKeyRow & Pick<Selectable<UsersTable>, 'tier' | 'suspendedAt'>;

export const findApiKeyByHash = (db: DbOrTx, secretHash: Buffer): Promise<KeyWithAccount | undefined> =>
  selectKeys(db)
    .innerJoin('users', 'users.id', 'apiKeys.accountId')
    .select(['users.tier', 'users.suspendedAt'])
    .where('secretHash', '=', secretHash)
    .executeTakeFirst();
