import { clearSessionView, endView as endRow } from '@uprez/db/queries/accounts/account-views';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../../context.ts';

/** Takes a session out of its view, if it is in one, and ends the view. */
export async function endView(
  ctx: Needs<'db'>,
  { sessionHash, viewAsId }: Pick<SessionUser, 'sessionHash' | 'viewAsId'>,
): Promise<void> {
  if (viewAsId === null) return;
  await ctx.db.transaction().execute(async (tx) => {
    await clearSessionView(tx, sessionHash, viewAsId);
    await endRow(tx, viewAsId);
  });
}
