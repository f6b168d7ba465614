import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { deleteAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { takeAttempt } from '@uprez/db/queries/accounts/attempts';
import { findUserByLogin, foldLogin, lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { deleteWaitingMails } from '@uprez/db/queries/mails/outbox';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { addressSubject } from './attempts.ts';
import { mayQueueLink } from './links.ts';
import { type OwnerProof, proveOwner } from './prove-owner.ts';

/**
 * Request a new email address. It applies when its link is opened (`verifyEmail`). An address that is in use gets the
 * same response but no email. Throws `invalid_parameter`, `rate_limited`, and the errors of `proveOwner`.
 */
export async function changeEmail(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, email, ...proof }: { user: UserRow } & OwnerProof & { email: string },
): Promise<void> {
  if (email.toLowerCase() === user.email.toLowerCase())
    throw new AppError('invalid_parameter', { param: 'email', detail: 'This is already your email address.' });
  await proveOwner(ctx, { user, ...proof });
  await ctx.db.transaction().execute(async (tx) => {
    const present = await lockUser(tx, user.id);
    if (present?.passwordHash !== user.passwordHash) throw new AppError('wrong_password');
    if (!(await mayQueueLink(tx, user.id, 'email_change_asked'))) throw new AppError('rate_limited');
    await deleteAccountTokens(tx, user.id, ['change_email']);
    await deleteWaitingMails(tx, user.id, ['confirm_new_email']);
    const isFree = !(await findUserByLogin(tx, email));
    if ((await takeAddress(tx, email)) && isFree)
      await queueMail(tx, user.id, { mail: 'confirm_new_email', to: email });
    await queueMail(tx, user.id, { mail: 'email_change_asked', newEmail: email });
  });
}

/** Count an email to an address across all accounts. False when it has reached the limit. */
async function takeAddress(tx: Tx, email: string): Promise<boolean> {
  const pauseS = limits.newAddressMinutes * 60;
  const subject = addressSubject(await foldLogin(tx, email));
  return takeAttempt(tx, { subject, max: limits.newAddressMails, pauseS, blockS: pauseS, growth: 1 });
}
