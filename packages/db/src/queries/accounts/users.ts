import { type InsertObject, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';
import type { UsersTable } from '../../tables/account-tables.ts';
import { now } from '../../times.ts';

export type UserRow = Selectable<UsersTable>;

/** Insert unless the email address or username is taken; undefined then. */
export const insertUser = (db: DbOrTx, row: InsertObject<Tables, 'users'>) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** By email address or username, ignoring case. */
export const findUserByLogin = (db: DbOrTx, login: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([eb(sql`lower(email)`, '=', sql`lower(${login})`), eb(sql`lower(username)`, '=', sql`lower(${login})`)]),
    )
    .limit(1)
    .executeTakeFirst();

/** A name as the lookup above compares it. */
export async function foldLogin(db: DbOrTx, login: string): Promise<string> {
  const { rows } = await sql<{ folded: string }>`select lower(${login}::text) as folded`.execute(db);
  return rows[0]?.folded ?? login;
}

export const findUser = (db: DbOrTx, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** A user's row, which nobody else changes until this transaction ends. */
export const lockUser = (tx: DbOrTx, id: string) =>
  tx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** The changed row; undefined for an account that is gone. */
export const updateUser = (db: DbOrTx, id: string, values: UpdateObject<Tables, 'users'>) =>
  db.updateTable('users').set(values).where('id', '=', id).returningAll().executeTakeFirst();

export async function hasAdmin(db: DbOrTx): Promise<boolean> {
  return (
    (await db.selectFrom('users').select('id').where('isAdmin', '=', true).limit(1).executeTakeFirst()) !== undefined
  );
}

/** Accounts whose tier was chosen until a moment that has come. */
export async function listEndedOverrides(db: DbOrTx): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('tierUntil', '<=', now).limit(500).execute();
  return rows.map((row) => row.id);
}
