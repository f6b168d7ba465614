import { AppError } from '@uprez/contracts/errors/app-error';
import { deleteUserSession } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';
import { isUuid } from '../jobs/is-uuid.ts';

/** Sign a user out on one device. Throws `session_not_found`, also for a session of somebody else. */
export async function endSession(
  ctx: Needs<'db'>,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  if (!isUuid(sessionId) || !(await deleteUserSession(ctx.db, userId, sessionId)))
    throw new AppError('session_not_found');
}
