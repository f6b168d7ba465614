import { AppError } from '@uprez/contracts/errors/app-error';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import { lockUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { checkNewPassword } from './check-new-password.ts';
import { hashPassword } from './password-hash.ts';
import { proveOwner } from './prove-owner.ts';
import { replacePassword } from './reset-password.ts';
import { endOtherSessions } from './sessions.ts';

export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
  code?: string | undefined;
};

/** Change the password; returns the session's new secret. Other sessions end. Throws `wrong_password` and others. */
export async function changePassword(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, currentPassword, newPassword, code }: { user: SessionUser } & PasswordChange,
): Promise<string> {
  // Before the proof, which uses a code up.
  await checkNewPassword(ctx, { password: newPassword, param: 'newPassword', owner: user });
  await proveOwner(ctx, { user, password: currentPassword, code });
  const passwordHash = await hashPassword(newPassword);
  return ctx.db.transaction().execute(async (tx) => {
    const present = await lockUser(tx, user.id);
    if (present?.passwordHash !== user.passwordHash) throw new AppError('wrong_password');
    const secret = await endOtherSessions(tx, user);
    await replacePassword(tx, user.id, { passwordHash: passwordHash });
    return secret;
  });
}
