import { AppError } from '@uprez/contracts/app-error';
import { findAccountToken, takeAccountToken } from '@uprez/db/queries/account-tokens';
import { lockUser } from '@uprez/db/queries/users';
import type { Needs } from '../context.ts';
import { clearAttempts } from './attempts/clear-attempts.ts';
import { checkNewPassword } from './check-new-password.ts';
import { hashLinkToken } from './links/link-token.ts';
import { hashPassword } from './password-hash.ts';
import { replacePassword } from './replace-password.ts';

/**
 * Set the password of the account that a link was sent to, and sign it out everywhere. The link works once, proves the
 * address, and ends the pauses after wrong guesses. Throws `password_too_short` or `password_too_common`, which leave the link as it is, and `invalid_token`
 * for one that is used, expired, replaced or not ours.
 */
export async function resetPassword(
  ctx: Needs<'db' | 'settings'>,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  await checkNewPassword(ctx, newPassword, 'newPassword');
  const tokenHash = hashLinkToken(token);
  // Hashing a password is dear, and not for whoever makes links up.
  const found = await findAccountToken(ctx.db, tokenHash, ['reset']);
  if (!found) throw new AppError('invalid_token');
  const passwordHash = await hashPassword(newPassword);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, found.user_id);
    const taken = await takeAccountToken(tx, tokenHash, 'reset');
    // An address that the account has left opens it no more.
    if (!user || user.suspended_at !== null || taken?.email !== user.email) throw new AppError('invalid_token');
    await replacePassword(tx, { userId: user.id, values: { password_hash: passwordHash, email_verified: true } });
    await clearAttempts(tx, user.id);
  });
}
