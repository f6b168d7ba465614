import { AppError } from '@uprez/contracts/errors/app-error';
import { isRoleAbove, type Role } from '@uprez/contracts/policy/admin/permissions';
import { endViewsOfUser } from '@uprez/db/queries/accounts/account-views';
import type { AdminUserRow } from '@uprez/db/queries/accounts/admin-users';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { requireOtherOwner } from '../accounts/require-owner.ts';
import type { Needs } from '../context.ts';
import { requireOtherAccount, requireRoleNotAbove } from './administrator.ts';
import { type AdminChange, changeUser, findChangeAuthor } from './change-user.ts';

const unverifiedDetail = 'This user has not confirmed their email address yet. Ask them to confirm it first.';

/** `expected`: the role that the administrator saw. */
type RoleChange = AdminChange & { role: Role | null; expected: Role | null };

/**
 * Sets or removes a user's role. Throws `own_account` (including for the last owner), `role_above_own`, `role_changed`
 * if the user's role isn't `expected`, `email_unverified`, or `user_not_found`.
 */
export async function changeRole(
  ctx: Needs<'db'>,
  { admin, userId, reason, role, expected }: RoleChange,
): Promise<AdminUserRow> {
  requireOtherAccount(admin, userId);
  return changeUser(ctx, {
    admin,
    userId,
    action: 'user.role',
    reason,
    fieldsOf: (user) => ({ role: user.role }),
    change: async (tx, user, actor) => {
      const { role: present } = user;
      if (present !== expected) {
        const author = await findChangeAuthor(tx, {
          userId: user.id,
          actions: ['user.role'],
          fields: { role: present },
        });
        throw new AppError('role_changed', { meta: { role: present, ...author } });
      }
      requireRoleNotAbove(actor, role);
      // Requires a confirmed address, because anyone can register with a colleague's email address.
      if (isRoleAbove(role, user.role) && !user.emailVerified)
        throw new AppError('email_unverified', { detail: unverifiedDetail });
      if (role !== 'owner') await requireOtherOwner(tx, user.id);
      await updateUser(tx, user.id, { role });
      await endViewsOfUser(tx, user.id);
    },
  });
}
