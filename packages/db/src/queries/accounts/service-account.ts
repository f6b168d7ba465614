import type { DbOrTx } from '../../database.ts';
import type { UserRow } from './users.ts';

/** The account that probes use. */
export const findServiceAccount = (db: DbOrTx): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('isService', '=', true).executeTakeFirst();
