import { hasPermission, type Permission } from '@uprez/contracts/policy/permissions';
import { findOpenView } from '@uprez/db/queries/accounts/account-views';
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
