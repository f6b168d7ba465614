import { createHash, randomBytes } from 'node:crypto';
import type { DbOrTx } from '@uprez/db/database';
import { deleteAccountTokens, insertAccountToken, type TokenKind } from '@uprez/db/queries/accounts/account-tokens';
import { afterSeconds } from '@uprez/db/times';

/** `email`: address that the link is sent to, or that it verifies. */
export type NewAccountToken = { userId: string; kind: TokenKind; email: string; lifeS: number };

/**
 * Creates and returns a single-use link token, and revokes older tokens of the same kind. Stores only the token's
 * SHA-256 hash.
 */
export async function createAccountToken(db: DbOrTx, { userId, kind, email, lifeS }: NewAccountToken): Promise<string> {
  const token = makeLinkToken();
  await deleteAccountTokens(db, userId, [kind]);
  const expiresAt = afterSeconds(lifeS);
  await insertAccountToken(db, { tokenHash: hashLinkToken(token), userId, kind, email, expiresAt });
  return token;
}

/** Creates a link token of 256 random bits. */
export const makeLinkToken = () => randomBytes(32).toString('base64url');
export const hashLinkToken = (token: string) => createHash('sha256').update(token).digest();
