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

export type ActiveView = { adminId: string; adminEmail: string; endsAt: Date };

const viewPermission: Permission = 'users.view_as';

/**
 * Returns the session with the user that its administrator is viewing. The view has ended if its time is up, if the
 * administrator's role no longer permits it, or if the viewed user has become an administrator.
 */
export async function resolveView<Session extends SessionUser>(
  ctx: Needs<'db'>,
  session: Session,
  viewId: string,
): Promise<Session & { view: ActiveView | 'ended' }> {
  const { id: adminId, email: adminEmail, role } = session;
  const open = hasPermission(role, viewPermission) ? await findOpenView(ctx.db, viewId) : undefined;
  if (!open || open.user.role !== null) return { ...session, view: 'ended' };
  return { ...session, ...open.user, view: { adminId, adminEmail, endsAt: open.endsAt } };
}

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

const maxListedViews = 100;

/** Returns the latest times that administrators viewed the web app as this user. */
export const listViews = (ctx: Needs<'db'>, userId: string): Promise<ViewRow[]> =>
  listViewsOfUser(ctx.db, userId, maxListedViews);

/** Deletes views after `limits.viewDays` days. Until then, users can see who viewed their account. Safe to repeat. */
export const deleteOldViews = (ctx: Needs<'db'>) => deleteRows(ctx.db, limits.viewDays * 86_400);
