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
 * Suspend an account, which ends its sessions, or restore it. Its jobs continue: their units are reserved. Throws
 * `own_account`, so that one administrator always remains, or `user_not_found`.
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
