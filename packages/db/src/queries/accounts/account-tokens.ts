import type { InsertObject, Selectable } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';
import type { AccountTokensTable } from '../../tables/account-tables.ts';
import { now } from '../../times.ts';

export type AccountToken = Selectable<AccountTokensTable>;
export type TokenKind = AccountToken['kind'];

export const insertAccountToken = (db: DbOrTx, row: InsertObject<Tables, 'accountTokens'>) =>
  db.insertInto('accountTokens').values(row).execute();

/** Returns an unexpired token of one of these kinds without consuming it. */
export const findAccountToken = (db: DbOrTx, tokenHash: Buffer, kinds: readonly TokenKind[]) =>
  db
    .selectFrom('accountTokens')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('kind', 'in', kinds)
    .where('expiresAt', '>', now)
    .executeTakeFirst();

/** Consumes an unexpired token. Of several concurrent calls, only one gets the row. */
export const consumeAccountToken = (db: DbOrTx, tokenHash: Buffer, kind: TokenKind) =>
  db
    .deleteFrom('accountTokens')
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', now)
    .returning('email')
    .executeTakeFirst();

export const deleteAccountTokens = (db: DbOrTx, userId: string, kinds: readonly TokenKind[]) =>
  db.deleteFrom('accountTokens').where('userId', '=', userId).where('kind', 'in', kinds).execute();

/** Invalidates the password reset links of administrators. */
export const deleteStaffResetTokens = (db: DbOrTx) =>
  db
    .deleteFrom('accountTokens')
    .where('kind', '=', 'reset')
    .where('userId', 'in', (eb) => eb.selectFrom('users').select('id').where('role', 'is not', null))
    .execute();

export const changeTokenKind = (db: DbOrTx, tokenHash: Buffer, kind: TokenKind) =>
  db.updateTable('accountTokens').set({ kind }).where('tokenHash', '=', tokenHash).execute();

export const deleteExpiredAccountTokens = (db: DbOrTx) =>
  db.deleteFrom('accountTokens').where('expiresAt', '<=', now).execute();
