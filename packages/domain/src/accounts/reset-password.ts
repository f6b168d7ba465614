import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { consumeAccountToken, deleteAccountTokens, findAccountToken } from '@uprez/db/queries/accounts/account-tokens';
import { deleteUserPasskeys } from '@uprez/db/queries/accounts/passkeys';
import {
  deleteUserDevices,
  deleteUserSessions,
  type SessionUser,
  upsertDevice,
} from '@uprez/db/queries/accounts/sessions';
import { dropPendingTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import { findUser, findUserByLogin, lockUser, updateUser } from '@uprez/db/queries/accounts/users';
import { takeAnswerTime } from '../answer-time.ts';
import type { Needs } from '../context.ts';
import { hashLinkToken } from '../mails/account-token.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { requireTrustedMail } from '../settings/mail-changer.ts';
import { readLinkWaitS, revokeLinks } from './change-email.ts';
import { clearGuesses } from './guesses.ts';
import { accountTurn, checkNewPassword, hashPassword, verifyPassword } from './password-hash.ts';
import { proveOwner } from './prove-owner.ts';
import {
  type AccountObserver,
  createSessionSecret,
  type Device,
  endOtherSessions,
  hashSessionSecret,
  truncateUserAgent,
} from './sessions.ts';

async function queueResetMail(ctx: Needs<'db'>, email: string): Promise<void> {
  const found = await findUserByLogin(ctx.db, email);
  if (!found) return;
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, found.id);
    if (!user || user.suspendedAt !== null || (await readLinkWaitS(tx, user.id, 'reset_password')) > 0) return;
    await deleteAccountTokens(tx, user.id, ['reset']);
    await queueMail(tx, user.id, { mail: 'reset_password' });
  });
}

/** Emails a password reset link. For unknown and suspended accounts, the result and the response time are the same. */
export const requestPasswordReset = (ctx: Needs<'db'>, email: string): Promise<void> =>
  takeAnswerTime(() => queueResetMail(ctx, email));

/** `signedInAs`: account ID of the session that sent the request, if any. */
export type PasswordResetInput = AccountObserver & {
  token: string;
  newPassword: string;
  device: Device;
  signedInAs?: string | undefined;
};

/**
 * Resets a password with the token from a link, signs the user out everywhere, and remembers the browser. Returns the
 * browser's device secret. Throws `password_too_short`, `password_too_common`, `password_unchanged`, or
 * `invalid_token`. Unless the user is signed in to the account, it may also throw `link_held`. The link then stays
 * valid.
 */
export async function resetPassword(ctx: Needs<'db' | 'settings'>, reset: PasswordResetInput) {
  const { token, newPassword, device, onAccount, signedInAs } = reset;
  const tokenHash = hashLinkToken(token);
  // Checks the token before hashing, because hashing is expensive.
  const found = await findAccountToken(ctx.db, tokenHash, ['reset']);
  const owner = found && (await findUser(ctx.db, found.userId));
  if (!found || !owner) throw new AppError('invalid_token');
  onAccount?.(owner.id);
  if (signedInAs !== owner.id) await requireTrustedMail(ctx.db, owner.role);
  await checkNewPassword(ctx, { password: newPassword, param: 'newPassword', owner });
  const turn = accountTurn(owner.id);
  if (await verifyPassword({ passwordHash: owner.passwordHash, password: newPassword, turn }))
    throw new AppError('password_unchanged', { param: 'newPassword' });
  const passwordHash = await hashPassword(newPassword, turn);
  const deviceSecret = device.secret ?? createSessionSecret();
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, found.userId);
    const taken = await consumeAccountToken(tx, tokenHash, 'reset');
    // A link that was sent to a former email address of the account is invalid.
    if (!user || user.suspendedAt !== null || taken?.email !== user.email) throw new AppError('invalid_token');
    if (!user.emailVerified) await removeUnprovenCredentials(tx, user.id);
    await deleteUserSessions(tx, user.id);
    await replacePassword(tx, user.id, { passwordHash, emailVerified: true });
    const secretHash = hashSessionSecret(deviceSecret);
    await upsertDevice(tx, { userId: user.id, secretHash, userAgent: truncateUserAgent(device) });
    await clearGuesses(tx, user.id);
  });
  return deviceSecret;
}

/** Removes what someone else may have set up before the account's email address was confirmed for the first time. */
async function removeUnprovenCredentials(tx: Tx, userId: string): Promise<void> {
  await updateUser(tx, userId, { twoFactorSecret: null, twoFactorAt: null, twoFactorStep: 0, deletesAt: null });
  await replaceRecoveryCodes(tx, userId, []);
  await deleteUserPasskeys(tx, userId);
  await deleteUserDevices(tx, userId);
}

/** Sets a password, revokes links and a pending two-factor secret, and emails the owner. Doesn't end sessions. */
export async function replacePassword(
  tx: Tx,
  userId: string,
  values: { passwordHash: string; emailVerified?: true },
): Promise<void> {
  await updateUser(tx, userId, values);
  await dropPendingTwoFactor(tx, userId);
  await revokeLinks(tx, userId);
  await queueMail(tx, userId, { mail: 'password_changed', at: new Date().toISOString() });
}

type PasswordChange = { currentPassword: string; newPassword: string; code?: string | undefined };

/**
 * Changes the password and ends the user's other sessions. Returns the session's new secret. Throws
 * `password_unchanged`, `wrong_password`, `not_signed_in`, and the errors of `checkNewPassword` and `proveOwner`.
 */
export async function changePassword(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, currentPassword, newPassword, code }: { user: SessionUser } & PasswordChange,
): Promise<string> {
  // Checks this before `proveOwner`, which uses up a code. Compares the normalized passwords, because passwords are
  // normalized before they're hashed.
  if (newPassword.normalize('NFC') === currentPassword.normalize('NFC'))
    throw new AppError('password_unchanged', { param: 'newPassword' });
  await checkNewPassword(ctx, { password: newPassword, param: 'newPassword', owner: user });
  await proveOwner(ctx, { user, password: currentPassword, code });
  const passwordHash = await hashPassword(newPassword, accountTurn(user.id));
  return ctx.db.transaction().execute(async (tx) => {
    const present = await lockUser(tx, user.id);
    if (present?.passwordHash !== user.passwordHash) throw new AppError('wrong_password');
    const secret = await endOtherSessions(tx, user);
    await replacePassword(tx, user.id, { passwordHash });
    return secret;
  });
}
