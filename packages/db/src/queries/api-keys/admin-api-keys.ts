import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { ApiKeySort, ApiKeyStatus } from '@uprez/contracts/policy/admin/tables';
import { limits } from '@uprez/contracts/policy/limits';
import type { AnyKeyKind } from '@uprez/contracts/policy/sandbox';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { containsPattern, hasText, isNotServiceAccount } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { ApiKeysTable } from '../../tables/api-key-tables.ts';
import { isExpired } from './api-keys.ts';

export type KeyFilter = {
  search?: string | undefined;
  status?: ApiKeyStatus | undefined;
  kind?: AnyKeyKind | undefined;
};

/** A key of any account, or a service key, with its owner and its creator. */
export type AdminKeyRow = Pick<
  Selectable<ApiKeysTable>,
  | 'id'
  | 'accountId'
  | 'name'
  | 'preview'
  | 'kind'
  | 'scopes'
  | 'isActive'
  | 'createdAt'
  | 'expiresAt'
  | 'lastUsedAt'
  | 'usageCount'
  | 'createdBy'
> & {
  isExpired: boolean;
  ownerRole: Role | null;
  ownerName: string | null;
  ownerEmail: string | null;
  creatorName: string | null;
  creatorEmail: string | null;
};

const isUnused = sql<SqlBool>`coalesce(api_keys.last_used_at, api_keys.created_at)
  <= now() - ${limits.apiKeyUnusedDays} * interval '1 day'`;
const isUnexpired = sql<SqlBool>`not ${isExpired}`;
const conditions: Record<ApiKeyStatus, readonly ReturnType<typeof sql<SqlBool>>[]> = {
  active: [sql<SqlBool>`api_keys.is_active`, isUnexpired],
  inactive: [sql<SqlBool>`not api_keys.is_active`, isUnexpired],
  expired: [isExpired],
  unused: [sql<SqlBool>`api_keys.is_active`, isUnexpired, isUnused],
};

function selectMatchingKeys(db: DbOrTx, { search, status, kind }: KeyFilter) {
  let query = db
    .selectFrom('apiKeys')
    .where('apiKeys.deletedAt', 'is', null)
    .where(isNotServiceAccount(sql`api_keys.account_id`));
  if (kind) query = query.where('apiKeys.kind', '=', kind);
  for (const condition of status ? conditions[status] : []) query = query.where(condition);
  if (!search) return query;
  const owners = db.selectFrom('users').select('users.id').where(hasText(search, false));
  const ofKey = sql<SqlBool>`lower(api_keys.name || ' ' || api_keys.preview) like lower(${containsPattern(search)})`;
  return query.where((eb) => eb.or([ofKey, eb('apiKeys.accountId', 'in', owners)]));
}

const nameOf = (table: 'owner' | 'creator') =>
  sql<string | null>`nullif(concat_ws(' ', ${sql.ref(`${table}.firstName`)}, ${sql.ref(`${table}.lastName`)}), '')`;

const withPeople = (query: ReturnType<typeof selectMatchingKeys>) =>
  query
    .leftJoin('users as owner', 'owner.id', 'apiKeys.accountId')
    .leftJoin('users as creator', 'creator.id', 'apiKeys.createdBy')
    .select([
      'apiKeys.id',
      'apiKeys.accountId',
      'apiKeys.name',
      'apiKeys.preview',
      'apiKeys.kind',
      'apiKeys.scopes',
      'apiKeys.isActive',
      'apiKeys.createdAt',
      'apiKeys.expiresAt',
      'apiKeys.lastUsedAt',
      'apiKeys.usageCount',
      'apiKeys.createdBy',
      'owner.role as ownerRole',
      'owner.email as ownerEmail',
      'creator.email as creatorEmail',
    ])
    .select([isExpired.as('isExpired'), nameOf('owner').as('ownerName'), nameOf('creator').as('creatorName')]);

/** Not indexed, because every call changes `last_used_at`, and updates of indexed columns are slower. */
const lastUsedColumn = { column: sql`coalesce(api_keys.last_used_at, timestamptz 'epoch')`, type: 'time' } as const;
const orders = makeOrders({
  created: { column: 'apiKeys.createdAt', type: 'time' },
  usage: { column: 'apiKeys.usageCount', type: 'integer' },
  used: lastUsedColumn,
});

export const listAdminKeys = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: KeyFilter & Page & { sort: ApiKeySort },
): Promise<(AdminKeyRow & { sortValue: number })[]> =>
  readKeysetPage(withPeople(selectMatchingKeys(db, filter)), { order: orders[sort], id: 'apiKeys.id', after, limit });

export const countAdminKeys = (db: DbOrTx, filter: KeyFilter = {}): Promise<number> =>
  countRows(selectMatchingKeys(db, filter));

export const findAdminKey = (db: DbOrTx, id: string): Promise<AdminKeyRow | undefined> =>
  withPeople(selectMatchingKeys(db, {})).where('apiKeys.id', '=', id).executeTakeFirst();

/** Locks a key of any account or a service key, then reads it. */
export async function lockAdminKey(tx: DbOrTx, id: string): Promise<AdminKeyRow | undefined> {
  await tx.selectFrom('apiKeys').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return findAdminKey(tx, id);
}
