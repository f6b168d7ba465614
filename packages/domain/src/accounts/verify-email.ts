import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { isUniqueViolation } from '@uprez/db/is-unique-violation';
import { type AccountToken, changeTokenKind, findAccountToken } from '@uprez/db/queries/accounts/account-tokens';
import { lockUser, type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { deleteWaitingMails } from '@uprez/db/queries/mails/outbox';
import type { Needs } from '../context.ts';
import { hashLinkToken } from '../mails/account-token.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { revokeLinks } from './links.ts';

const kinds = ['verify', 'change_email'] as const;

async function confirmEmail(tx: Tx, user: UserRow, email: string): Promise<void> {
  if (user.email !== email) throw new AppError('invalid_token');
  if (!user.emailVerified) await updateUser(tx, user.id, { emailVerified: true });
}

/** Confirm an address by a link. Opening the link again has no effect. Throws `invalid_token` or `email_taken`. */
export async function verifyEmail(ctx: Needs<'db'>, token: string): Promise<void> {
  const tokenHash = hashLinkToken(token);
  const found = await findAccountToken(ctx.db, tokenHash, kinds);
  if (!found) throw new AppError('invalid_token');
  const follow = async (tx: Tx) => {
    const user = await lockUser(tx, found.userId);
    const held = await findAccountToken(tx, tokenHash, kinds);
    if (!user || user.suspendedAt !== null || !held) throw new AppError('invalid_token');
    await (held.kind === 'verify' ? confirmEmail(tx, user, held.email) : moveEmail(tx, user, held));
  };
  await ctx.db
    .transaction()
    .execute(follow)
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('email_taken', { cause: error }) : error;
    });
}

/** Move an account to a confirmed address and email the former one. The link stays usable as a confirmation. */
export async function moveEmail(tx: Tx, user: UserRow, { tokenHash, email }: AccountToken): Promise<void> {
  const isNamedByIt = user.username.toLowerCase() === user.email.toLowerCase();
  await updateUser(tx, user.id, { email, emailVerified: true, ...(isNamedByIt ? { username: email } : {}) });
  await changeTokenKind(tx, tokenHash, 'verify');
  await revokeLinks(tx, user.id);
  await deleteWaitingMails(tx, user.id, ['verify_email']);
  // An unconfirmed address may belong to someone else.
  if (user.emailVerified) await queueMail(tx, user.id, { mail: 'email_changed', to: user.email, newEmail: email });
}
