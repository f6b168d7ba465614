import { createHash, randomBytes } from 'node:crypto';
import type { DbOrTx } from '@uprez/db/database';
import { deleteAccountTokens, insertAccountToken, type TokenKind } from '@uprez/db/queries/accounts/account-tokens';
import { afterSeconds } from '@uprez/db/times';

/** `email`: the address the link is sent to, or that it proves. */
export type NewAccountToken = { userId: string; kind: TokenKind; email: string; lifeS: number };

/** Create a single-use link and revoke older ones of its kind; returns the token. Only its SHA-256 is stored. */
export async function createAccountToken(db: DbOrTx, { userId, kind, email, lifeS }: NewAccountToken): Promise<string> {
  const token = makeLinkToken();
  await deleteAccountTokens(db, userId, [kind]);
  const expiresAt = afterSeconds(lifeS);
  await insertAccountToken(db, { tokenHash: hashLinkToken(token), userId, kind, email, expiresAt });
  return token;
}

/** 256 random bits, as a link in a mail carries them. */
export const makeLinkToken = () => randomBytes(32).toString('base64url');
export const hashLinkToken = (token: string) => createHash('sha256').update(token).digest();
