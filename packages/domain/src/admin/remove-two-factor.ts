import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminUserRow } from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import { clearTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { type Administrator, changeUser } from './change-user.ts';

export type TwoFactorRemoval = { userId: string; reason?: string | undefined };

const fieldsOf = (user: UserRow) => ({ twoFactorEnabled: user.twoFactorAt !== null });

/**
 * Turn off two-factor for a user who lost their codes, end the sessions, and email the user. Throws `own_account`,
 * because administrators need a code for themselves, `user_not_found`, or `two_factor_state`.
 */
export async function removeTwoFactor(
  ctx: Needs<'db'>,
  { admin, userId, reason }: { admin: Administrator } & TwoFactorRemoval,
): Promise<AdminUserRow> {
  if (userId.toLowerCase() === admin.accountId) throw new AppError('own_account');
  return changeUser(ctx, {
    admin,
    userId,
    action: 'user.two_factor_off',
    reason,
    fieldsOf,
    change: async (tx, user) => {
      const at = await clearTwoFactor(tx, user.id);
      if (!at) throw new AppError('two_factor_state');
      await replaceRecoveryCodes(tx, user.id, []);
      await deleteUserSessions(tx, user.id);
      await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: false, at: at.toISOString() });
    },
  });
}
