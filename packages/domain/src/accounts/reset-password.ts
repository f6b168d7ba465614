import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { findAccountToken, takeAccountToken } from '@uprez/db/queries/accounts/account-tokens';
import { deleteUserDevices, upsertDevice } from '@uprez/db/queries/accounts/devices';
import { replaceRecoveryCodes } from '@uprez/db/queries/accounts/recovery-codes';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import { findUser, lockUser, updateUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { hashLinkToken } from '../mails/account-token.ts';
import { clearAttempts } from './attempts.ts';
import { checkNewPassword } from './check-new-password.ts';
import { type Device, keptUserAgent } from './open-account.ts';
import { hashPassword } from './password-hash.ts';
import { replacePassword } from './replace-password.ts';
import { createSessionSecret, hashSessionSecret } from './sessions.ts';

export type Reset = { token: string; newPassword: string; device: Device };

/**
 * Set the password of the account that a link was sent to, and sign it out everywhere. The link works once, proves the
 * address, and ends the pauses after wrong guesses. The browser is one that the account knows from then on, so that the
 * guesses of others do not keep it out; answers the secret of its device cookie. Throws `password_too_short` or
 * `password_too_common`, which leave the link as it is, and `invalid_token` for one that is used, expired, replaced or
 * not ours.
 */
export async function resetPassword(
  ctx: Needs<'db' | 'settings'>,
  { token, newPassword, device }: Reset,
): Promise<string> {
  const tokenHash = hashLinkToken(token);
  // Hashing a password is dear, and not for whoever makes links up.
  const found = await findAccountToken(ctx.db, tokenHash, ['reset']);
  const owner = found && (await findUser(ctx.db, found.userId));
  if (!found || !owner) throw new AppError('invalid_token');
  await checkNewPassword(ctx, { password: newPassword, param: 'newPassword', owner });
  const passwordHash = await hashPassword(newPassword);
  const deviceSecret = device.secret ?? createSessionSecret();
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, found.userId);
    const taken = await takeAccountToken(tx, tokenHash, 'reset');
    // An address that the account has left opens it no more.
    if (!user || user.suspendedAt !== null || taken?.email !== user.email) throw new AppError('invalid_token');
    if (!user.emailVerified) await dropUnproven(tx, user.id);
    await deleteUserSessions(tx, user.id);
    await replacePassword(tx, user.id, { passwordHash: passwordHash, emailVerified: true });
    const secretHash = hashSessionSecret(deviceSecret);
    await upsertDevice(tx, { userId: user.id, secretHash: secretHash, userAgent: keptUserAgent(device) });
    await clearAttempts(tx, user.id);
  });
  return deviceSecret;
}

/**
 * Drop what could keep the owner of an address out of an account that somebody else may have opened with it: second
 * factor, known devices, and the wish to delete it. For the moment in which the address is proved for the first time.
 */
export async function dropUnproven(tx: Tx, userId: string): Promise<void> {
  await updateUser(tx, userId, {
    twoFactorSecret: null,
    twoFactorAt: null,
    twoFactorStep: 0,
    deletesAt: null,
  });
  await replaceRecoveryCodes(tx, userId, []);
  await deleteUserDevices(tx, userId);
}
