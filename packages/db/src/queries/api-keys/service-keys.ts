import type { Role } from '@uprez/contracts/policy/permissions';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { countRows } from '../../keyset.ts';
import type { ApiKeysTable } from '../../tables/api-key-tables.ts';

export type ServiceKeyRow = Pick<Selectable<ApiKeysTable>, 'id' | 'isActive' | 'scopes'>;

export const findServiceKeyByHash = (db: DbOrTx, secretHash: Buffer): Promise<ServiceKeyRow | undefined> =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'isActive', 'scopes'])
    .where('secretHash', '=', secretHash)
    .where('kind', '=', 'service')
    .executeTakeFirst();

/** Active service keys without a creator who has one of these roles. */
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
