import type { Insertable, Selectable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { AccountTokensTable } from '../../tables/account-tokens.ts';
import { afterSeconds, now } from '../../times.ts';

export type AccountToken = Selectable<AccountTokensTable>;
export type TokenKind = AccountToken['kind'];

export async function insertAccountToken(
  db: DbOrTx,
  row: Omit<Insertable<AccountTokensTable>, 'expires_at'>,
  lifeS: number,
): Promise<void> {
  await db
    .insertInto('account_tokens')
    .values({ ...row, expires_at: afterSeconds(lifeS) })
    .execute();
}

/** A token of one of these kinds that still holds. It stays usable. */
export function findAccountToken(
  db: DbOrTx,
  tokenHash: Buffer,
  kinds: readonly TokenKind[],
): Promise<AccountToken | undefined> {
  return db
    .selectFrom('account_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Use a token up, if it still holds: of many at once one gets the row. */
export function takeAccountToken(
  db: DbOrTx,
  tokenHash: Buffer,
  kind: TokenKind,
): Promise<Pick<AccountToken, 'email'> | undefined> {
  return db
    .deleteFrom('account_tokens')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst();
}

export async function deleteAccountTokens(db: DbOrTx, userId: string, kinds: readonly TokenKind[]): Promise<void> {
  await db.deleteFrom('account_tokens').where('user_id', '=', userId).where('kind', 'in', kinds).execute();
}

export async function changeTokenKind(db: DbOrTx, tokenHash: Buffer, kind: TokenKind): Promise<void> {
  await db.updateTable('account_tokens').set({ kind }).where('token_hash', '=', tokenHash).execute();
}

/** Links that nobody followed in time; their addresses go with them. */
export async function deleteExpiredAccountTokens(db: DbOrTx): Promise<void> {
  await db.deleteFrom('account_tokens').where('expires_at', '<=', now).execute();
}
