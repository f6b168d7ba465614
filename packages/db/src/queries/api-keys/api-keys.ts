import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { ApiKeysTable } from '../../tables/api-keys.ts';
import type { UsersTable } from '../../tables/users.ts';
import { monthStart, now } from '../../times.ts';

/** `isExpired` by the database's clock; `unitsThisMonth`: of the calendar month (UTC). */
export type ApiKeyRow = Omit<Selectable<ApiKeysTable>, 'secret_hash'> & { isExpired: boolean; unitsThisMonth: number };

const columns = [
  'id',
  'account_id',
  'name',
  'kind',
  'preview',
  'scopes',
  'is_active',
  'expires_at',
  'monthly_cap',
  'calls_per_minute',
  'addresses',
  'usage_count',
  'last_used_at',
  'last_address',
  'replaced_by',
  'created_at',
] as const;
const isExpired = sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`;
const unitsThisMonth = sql<number>`coalesce((select sum(units) from api_key_days
  where key_id = api_keys.id and day >= ${monthStart}), 0)::integer`;

const selectKeys = (db: DbOrTx) =>
  db
    .selectFrom('api_keys')
    .select(columns.map((column) => `api_keys.${column}` as const))
    .select([isExpired.as('isExpired'), unitsThisMonth.as('unitsThisMonth')]);

/** The keys of an account, the newest first. */
export const listApiKeys = (db: DbOrTx, accountId: string): Promise<ApiKeyRow[]> =>
  selectKeys(db).where('account_id', '=', accountId).orderBy('created_at', 'desc').orderBy('id', 'desc').execute();

/** A key of the account. */
export const findApiKey = (db: DbOrTx, accountId: string, id: string): Promise<ApiKeyRow | undefined> =>
  selectKeys(db).where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst();

/**
 * The same, which nobody else changes until this transaction ends. Read once it is held: what a statement that waits
 * for a row knows of other tables is from before it waited.
 */
export async function lockApiKey(tx: DbOrTx, accountId: string, id: string): Promise<ApiKeyRow | undefined> {
  await tx
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
  return findApiKey(tx, accountId, id);
}

export async function insertApiKey(db: DbOrTx, row: Insertable<ApiKeysTable>): Promise<void> {
  await db.insertInto('api_keys').values(row).execute();
}

/** False: the account has no such key. */
export async function updateApiKey(
  db: DbOrTx,
  { accountId, id }: { accountId: string; id: string },
  values: Updateable<ApiKeysTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set(values)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Let a key end in so many seconds, unless it ends sooner, and name the one in its place. */
export async function replaceApiKey(
  db: DbOrTx,
  id: string,
  { byId, overlapS }: { byId: string; overlapS: number },
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({
      replaced_by: byId,
      expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${overlapS}))`,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteApiKey(db: DbOrTx, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The keys of an account that have not expired. */
export async function countLivingApiKeys(db: DbOrTx, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Forget the expired keys of an account but for the last few. */
export async function deleteOldApiKeys(db: DbOrTx, accountId: string, kept: number): Promise<void> {
  await db
    .deleteFrom('api_keys')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('api_keys')
        .select('id')
        .where('account_id', '=', accountId)
        .where('expires_at', '<=', now)
        .orderBy('expires_at', 'desc')
        .offset(kept),
    )
    .execute();
}

/** A key with what decides whether its account may use it. */
export type KeyWithAccount = ApiKeyRow & Pick<Selectable<UsersTable>, 'tier' | 'suspended_at'>;

export const findApiKeyByHash = (db: DbOrTx, secretHash: Buffer): Promise<KeyWithAccount | undefined> =>
  selectKeys(db)
    .innerJoin('users', 'users.id', 'api_keys.account_id')
    .select(['users.tier', 'users.suspended_at'])
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
