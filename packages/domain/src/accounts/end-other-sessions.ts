import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { changeSessionSecret, deleteOtherSessions, type SessionUser } from '@uprez/db/queries/accounts/sessions';
import { createSessionSecret, hashSessionSecret } from './session-secret.ts';

/** Of the session that made a call. */
export type OwnSession = Pick<SessionUser, 'id' | 'sessionId' | 'sessionHash'>;

/**
 * End all sessions of a user but the one that asks, and give that one a new secret, which its cookie carries from now on:
 * a copy of the old one is as worthless as the other sessions. Throws `not_signed_in` when it has ended, or was given
 * another secret, since the call began.
 */
export async function endOtherSessions(tx: Tx, { id, sessionId, sessionHash }: OwnSession): Promise<string> {
  const secret = createSessionSecret();
  if (!(await changeSessionSecret(tx, sessionHash, hashSessionSecret(secret)))) throw new AppError('not_signed_in');
  await deleteOtherSessions(tx, id, sessionId);
  return secret;
}
