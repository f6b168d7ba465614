import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { KeyKind } from '@uprez/contracts/policy/sandbox';
import { type Insertable, type Selectable, type SqlBool, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';
import { countRows } from '../../keyset.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { UsersTable } from '../../tables/account-tables.ts';
import type { ApiKeysTable } from '../../tables/api-key-tables.ts';
import { afterSeconds, monthStart, now, today } from '../../times.ts';

/** `isExpired`: by the database's clock. `unitsThisMonth`: units used in the calendar month (UTC). */
export type ApiKeyRow = Omit<Selectable<ApiKeysTable>, 'secretHash' | 'createdBy' | 'deletedAt' | keyof Owned> &
  Owned & { isExpired: boolean; unitsThisMonth: number };
type Owned = { accountId: string; kind: KeyKind };

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
  'allowedOrigins',
  'usageCount',
  'lastUsedAt',
  'lastAddress',
  'replacedBy',
  'createdAt',
] as const;
export const isExpired = sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`;
const unitsThisMonth = sql<number>`coalesce((select sum(units) from api_key_days
  where key_id = api_keys.id and day >= ${monthStart}), 0)::integer`;

const selectKeys = (db: DbOrTx) =>
  db
    .selectFrom('apiKeys')
    .select(columns.map((column) => `apiKeys.${column}` as const))
    .select([isExpired.as('isExpired'), unitsThisMonth.as('unitsThisMonth')])
    .where('apiKeys.kind', '!=', 'service')
    .where('apiKeys.deletedAt', 'is', null)
    .$narrowType<Owned>();

export const listApiKeys = (db: DbOrTx, accountId: string): Promise<ApiKeyRow[]> =>
  selectKeys(db).where('accountId', '=', accountId).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();

export const findApiKey = (db: DbOrTx, accountId: string, id: string): Promise<ApiKeyRow | undefined> =>
  selectKeys(db).where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst();

/**
 * Locks an API key, then reads it in a second statement. A single statement that waits for the lock would read other
 * tables as they were before the wait.
 */
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

/** Makes a key expire in `overlapS` seconds unless it expires sooner, and stores the ID of its replacement. */
export const replaceApiKey = (db: DbOrTx, id: string, { byId, overlapS }: { byId: string; overlapS: number }) =>
  updateApiKey(db, id, { replacedBy: byId, expiresAt: sql<Date>`least(expires_at, ${afterSeconds(overlapS)})` });

const selectUnexpiredKeys = (db: DbOrTx, accountId: string) =>
  db
    .selectFrom('apiKeys')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]));

export const countUnexpiredApiKeys = (db: DbOrTx, accountId: string): Promise<number> =>
  countRows(selectUnexpiredKeys(db, accountId));

/** Counts the sandbox keys of an account that have neither expired nor been replaced. */
export const countCurrentTestKeys = (db: DbOrTx, accountId: string): Promise<number> =>
  countRows(selectUnexpiredKeys(db, accountId).where('kind', '=', 'test').where('replacedBy', 'is', null));

export type KeyWithAccount = ApiKeyRow &
  Pick<Selectable<UsersTable>, 'tier' | 'planVersion' | 'suspendedAt' | 'termsVersion' | 'isService'>;

const selectByHash = prepareQuery((db, { secretHash }: { secretHash: Buffer }) =>
  selectKeys(db)
    .innerJoin('users', 'users.id', 'apiKeys.accountId')
    .select(['users.tier', 'users.planVersion', 'users.suspendedAt', 'users.termsVersion', 'users.isService'])
    .where('secretHash', '=', secretHash),
);

export async function findApiKeyByHash(db: DbOrTx, secretHash: Buffer): Promise<KeyWithAccount | undefined> {
  const [key] = await selectByHash(db, { secretHash });
  return key;
}

/** Calls with one key. `errors`: how many of the calls failed. `address`: IP address of the last call. */
export type KeyCalls = { keyId: string; calls: number; errors: number; address: string };

const addCalls = prepareQuery(
  (_db, { keyId, calls, errors, address }: KeyCalls) => sql`
    with used as (
      update api_keys set usage_count = usage_count + ${calls}, last_used_at = now(), last_address = ${address}
      where id = ${keyId} and deleted_at is null returning id
    )
    insert into api_key_days (key_id, day, calls, errors)
    select id, ${today}, ${calls}::integer, ${errors}::integer from used
    on conflict (key_id, day) do update
      set calls = api_key_days.calls + excluded.calls, errors = api_key_days.errors + excluded.errors`,
);

/** Adds calls to a key's total and daily counts. No-op if the key was deleted in the meantime. */
export async function addKeyCalls(db: DbOrTx, calls: KeyCalls): Promise<void> {
  await addCalls(db, calls);
}

/** Adds units to a key's count for today. The caller must lock the key. */
export async function addKeyUnits(db: DbOrTx, keyId: string, units: number): Promise<void> {
  await sql`insert into api_key_days (key_id, day, units) values (${keyId}, ${today}, ${units})
    on conflict (key_id, day) do update set units = api_key_days.units + excluded.units`.execute(db);
}

/**
 * Subtracts the open reservations of jobs or batch items from the daily counts of the API keys that made the
 * reservations.
 */
export async function subtractReservedUnits(db: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`
    with spent as (
      select coalesce(jobs.api_key_id, batches.api_key_id) as key_id,
        (reserved.created_at at time zone 'utc')::date as day, -sum(reserved.units) as units
      from ledger reserved
      left join jobs on jobs.id = reserved.job_id
      left join batch_items on batch_items.unit_id = reserved.job_id
      left join batches on batches.id = batch_items.batch_id
      where reserved.job_id = any(${[...ids]}::uuid[]) and reserved.kind = 'reserve'
        -- Units that we granted for a retry were never counted.
        and jobs.retry_of is null
        and not exists (select from ledger closed where closed.job_id = reserved.job_id and closed.kind in ('settle', 'release'))
      group by 1, 2
    )
    update api_key_days set units = greatest(0, api_key_days.units - spent.units) from spent
    where api_key_days.key_id = spent.key_id and api_key_days.day = spent.day`.execute(db);
}

/** Returns the start of the next month (UTC), when caps reset. */
export async function readNextMonth(db: DbOrTx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select (${monthStart} + interval '1 month') at time zone 'utc' as at`.execute(db);
  return rows[0]?.at ?? new Date();
}

export type KeyDayRow = { day: string; calls: number; errors: number; units: number };

/** Lists a key's usage by day (UTC), oldest first, including days without calls. */
export async function listKeyDays(db: DbOrTx, keyId: string, days: number): Promise<KeyDayRow[]> {
  const { rows } = await sql<KeyDayRow>`
    select to_char(each.day, 'YYYY-MM-DD') as day,
      coalesce(calls, 0) as calls, coalesce(errors, 0) as errors, coalesce(units, 0) as units
    from generate_series(${today} - ${days - 1}::integer, ${today}, interval '1 day') as each(day)
    left join api_key_days on key_id = ${keyId} and api_key_days.day = each.day::date
    order by each.day`.execute(db);
  return rows;
}

/** Lists the allowed origins of all active keys, without duplicates. */
export async function listKeyOrigins(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select distinct unnest(allowed_origins) as origin from api_keys
    where allowed_origins <> '{}' and deleted_at is null and is_active and not ${isExpired}`.execute(db);
  return rows.map(({ origin }) => origin);
}

/** Lists the allowed origins of a key. Empty if the key was deleted. */
export async function findKeyOrigins(db: DbOrTx, id: string): Promise<string[]> {
  const key = await db
    .selectFrom('apiKeys')
    .select('allowedOrigins')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return key?.allowedOrigins ?? [];
}

export type ServiceKeyRow = Pick<Selectable<ApiKeysTable>, 'id' | 'isActive' | 'scopes'>;

export const findServiceKeyByHash = (db: DbOrTx, secretHash: Buffer): Promise<ServiceKeyRow | undefined> =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'isActive', 'scopes'])
    .where('secretHash', '=', secretHash)
    .where('kind', '=', 'service')
    .executeTakeFirst();

/** Counts the active service keys whose creator was deleted or has none of these roles. */
export const countUnattendedServiceKeys = (db: DbOrTx, managers: readonly Role[]): Promise<number> =>
  countRows(
    db
      .selectFrom('apiKeys')
      .where('kind', '=', 'service')
      .where('isActive', '=', true)
      .where('deletedAt', 'is', null)
      .where(sql<SqlBool>`not exists (
        select from users where users.id = api_keys.created_by and users.role = any(${[...managers]}::text[]))`),
  );
