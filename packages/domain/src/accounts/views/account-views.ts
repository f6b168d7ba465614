import { hasPermission, type Permission } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import {
  clearSessionView,
  deleteOldViews as deleteRows,
  endView as endRow,
  findOpenView,
  listViewsOfUser,
  type ViewRow,
} from '@uprez/db/queries/accounts/account-views';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../../context.ts';

/** A view that lasts. */
export type ActiveView = { adminId: string; adminEmail: string; endsAt: Date };

const viewing: Permission = 'users.view_as';

/**
 * The user that the session of an administrator reads as. The view is over after its time, when the administrator's role
 * doesn't permit it anymore, and when the viewed user is an administrator by now.
 */
export async function resolveView<Session extends SessionUser>(
  ctx: Needs<'db'>,
  session: Session,
  viewId: string,
): Promise<Session & { view: ActiveView | 'ended' }> {
  const { id: adminId, email: adminEmail, role } = session;
  const open = hasPermission(role, viewing) ? await findOpenView(ctx.db, viewId) : undefined;
  if (!open || open.user.role !== null) return { ...session, view: 'ended' };
  return { ...session, ...open.user, view: { adminId, adminEmail, endsAt: open.endsAt } };
}

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

const listed = 100;

/** The newest times for which administrators saw the web app as a user. */
export const listViews = (ctx: Needs<'db'>, userId: string): Promise<ViewRow[]> =>
  listViewsOfUser(ctx.db, userId, listed);

/** Deletes views after the days for which users can see them. Safe to repeat. */
export const deleteOldViews = (ctx: Needs<'db'>) => deleteRows(ctx.db, limits.viewDays * 86_400);
