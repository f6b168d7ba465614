import { limits } from '@uprez/contracts/limits';
import { findSessionUser as findRow, touchSession } from '@uprez/db/queries/sessions';
import type { UserRow } from '@uprez/db/queries/users';
import type { Needs } from '../context.ts';
import { hashSessionSecret } from './session-secret.ts';

/** Renewing on every request would write once a request; once a minute keeps the rolling expiry true enough. */
const renewAfterS = 60;

/** The user behind a session secret; undefined when the session is unknown, ended or expired. */
export async function findSessionUser(ctx: Needs<'db'>, secret: string): Promise<UserRow | undefined> {
  const idHash = hashSessionSecret(secret);
  const row = await findRow(ctx.db, idHash);
  if (row && row.idleS > renewAfterS) await touchSession(ctx.db, idHash, limits.sessionMinutes * 60);
  return row;
}
