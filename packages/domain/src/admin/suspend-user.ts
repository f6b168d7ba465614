import { AppError } from '@uprez/contracts/errors/app-error';
import { type AdminUserRow, setSuspension } from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { type Administrator, changeUser } from './change-user.ts';

export type Suspension = { userId: string; suspended: boolean; reason?: string | undefined };

const fieldsOf = (user: UserRow) => ({
  suspended: user.suspendedAt !== null,
  suspendedReason: user.suspendedReason,
});

/**
 * Suspend an account, which ends all its sessions at once, or restore it. Its jobs are left alone: what is queued has
 * its unit reserved, takes no more than the account's own turns, and a suspension that was a mistake then costs nothing;
 * without a session nobody fetches the results. Nobody suspends himself, and whoever suspends is an administrator who
 * is held not suspended: so one always remains. Throws `own_account`, `user_not_found`.
 */
export async function suspendUser(
  ctx: Needs<'db'>,
  { admin, userId, suspended, reason }: { admin: Administrator } & Suspension,
): Promise<AdminUserRow> {
  if (suspended && userId.toLowerCase() === admin.accountId) throw new AppError('own_account');
  return changeUser(ctx, {
    admin,
    userId,
    action: suspended ? 'user.suspend' : 'user.restore',
    reason,
    fieldsOf,
    change: async (tx, user) => {
      await setSuspension(tx, user.id, suspended ? { reason: reason || user.suspendedReason } : undefined);
      if (suspended) await deleteUserSessions(tx, user.id);
    },
  });
}
