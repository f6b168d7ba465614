import { AppError } from '@uprez/contracts/app-error';
import { lockUser, type UserRow } from '@uprez/db/queries/users';
import type { Needs } from '../context.ts';
import { checkNewPassword } from './check-new-password.ts';
import { hashPassword } from './password-hash.ts';
import { proveOwner } from './prove-owner.ts';
import { replacePassword } from './replace-password.ts';

export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
  code?: string | undefined;
  /** Public id of the session that asks; it goes on, all others end. */
  sessionId: string;
};

/**
 * Change the own password. Throws what `proveOwner` and `checkNewPassword` throw, and `wrong_password` when another
 * change was first.
 */
export async function changePassword(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  user: UserRow,
  { currentPassword, newPassword, code, sessionId }: PasswordChange,
): Promise<void> {
  // Before the proof, which uses a code up.
  await checkNewPassword(ctx, newPassword, 'newPassword');
  await proveOwner(ctx, user, { password: currentPassword, code });
  const passwordHash = await hashPassword(newPassword);
  await ctx.db.transaction().execute(async (tx) => {
    const present = await lockUser(tx, user.id);
    if (present?.password_hash !== user.password_hash) throw new AppError('wrong_password');
    await replacePassword(tx, {
      userId: user.id,
      values: { password_hash: passwordHash },
      keptSessionId: sessionId,
    });
  });
}
