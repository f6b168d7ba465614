import { findSessionUser as findRow, type SessionUser, touchSession } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';
import { sessionLifeS } from './session-life.ts';
import { hashSessionSecret } from './session-secret.ts';

/** The user of a session, with the session's id. */
export type SignedInUser = SessionUser;

/** Renewing on every request would write once a request; once a minute keeps the rolling expiry true enough. */
const renewAfterS = 60;

/** The user behind a session secret; undefined when the session is unknown, ended or expired. */
export async function findSessionUser(ctx: Needs<'db' | 'settings'>, secret: string): Promise<SessionUser | undefined> {
  const idHash = hashSessionSecret(secret);
  const lifeS = await sessionLifeS(ctx);
  const row = await findRow(ctx.db, idHash, lifeS);
  if (row && row.idleS > renewAfterS) await touchSession(ctx.db, idHash, lifeS);
  return row;
}
