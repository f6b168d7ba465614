import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { UserRow } from './users.ts';

/** Whether an account isn't the one that probes use. At most one is, so PostgreSQL looks for it once per query. */
export const isNoService = (account: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${account} is null or ${account} is distinct from (select id from users where is_service))`;

/** The account that probes use. */
export const findServiceAccount = (db: DbOrTx): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('isService', '=', true).executeTakeFirst();
