import type { Insertable, Selectable } from 'kysely';
import type { DbOrTx, Tx } from '../database.ts';
import type { AccountTokensTable } from '../tables/account-tokens.ts';
import { afterSeconds, now } from '../times.ts';

export type AccountToken = Selectable<AccountTokensTable>;
export type AccountTokenKind = AccountToken['kind'];

/** Write a link in place of the older ones of its kind. The user's row is locked, so that two at once leave one. */
export async function replaceAccountToken(
  tx: Tx,
  row: Omit<Insertable<AccountTokensTable>, 'expires_at'>,
  lifeS: number,
): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', row.user_id).forNoKeyUpdate().execute();
  await deleteAccountTokens(tx, row.user_id, [row.kind]);
  await tx
    .insertInto('account_tokens')
    .values({ ...row, expires_at: afterSeconds(lifeS) })
    .execute();
}

/** A token of one of these kinds that still holds. It stays usable. */
export function findAccountToken(
  db: DbOrTx,
  tokenHash: Buffer,
  kinds: readonly AccountTokenKind[],
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
  kind: AccountTokenKind,
): Promise<AccountToken | undefined> {
  return db
    .deleteFrom('account_tokens')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/** Make the links of some kinds that a user was sent worthless. */
export async function deleteAccountTokens(
  db: DbOrTx,
  userId: string,
  kinds: readonly AccountTokenKind[],
): Promise<void> {
  await db.deleteFrom('account_tokens').where('user_id', '=', userId).where('kind', 'in', kinds).execute();
}
