import type { DbOrTx } from '@uprez/db/database';
import { deleteAccountTokens, insertAccountToken, type TokenKind } from '@uprez/db/queries/accounts/account-tokens';
import { hashLinkToken, makeLinkToken } from './link-token.ts';

/** `email`: the address the link is sent to, or that it proves. */
export type NewAccountToken = { userId: string; kind: TokenKind; email: string; lifeS: number };

/**
 * Write a link that may be followed once; the user's older ones of its kind are worthless from then on. Answers the
 * token, 256 random bits in base64url; only its SHA-256 is kept.
 */
export async function createAccountToken(db: DbOrTx, { userId, kind, email, lifeS }: NewAccountToken): Promise<string> {
  const token = makeLinkToken();
  await deleteAccountTokens(db, userId, [kind]);
  await insertAccountToken(db, { tokenHash: hashLinkToken(token), userId: userId, kind, email }, lifeS);
  return token;
}
