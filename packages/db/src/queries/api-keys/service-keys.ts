import type { Selectable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { ApiKeysTable } from '../../tables/api-key-tables.ts';

export type ServiceKeyRow = Pick<Selectable<ApiKeysTable>, 'id' | 'isActive' | 'scopes'>;

export const findServiceKeyByHash = (db: DbOrTx, secretHash: Buffer): Promise<ServiceKeyRow | undefined> =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'isActive', 'scopes'])
    .where('secretHash', '=', secretHash)
    .where('kind', '=', 'service')
    .executeTakeFirst();
