import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import { accountResponses } from '@uprez/contracts/texts/answers';
import type { Tx } from '@uprez/db/database';
import { isUniqueViolation } from '@uprez/db/database-errors';
import {
  type AccountToken,
  changeTokenKind,
  deleteAccountTokens,
  findAccountToken,
} from '@uprez/db/queries/accounts/account-tokens';
import { takeAttempt } from '@uprez/db/queries/accounts/attempts';
import { findUserByLogin, lockUser, type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { readMailbox } from '@uprez/db/queries/mails/mailbox-of';
import { deleteWaitingMails } from '@uprez/db/queries/mails/outbox';
import type { Needs } from '../context.ts';
import { hashLinkToken } from '../mails/account-token.ts';
import { listMailAges, queueMail } from '../mails/queue-mail.ts';
import { reportLimit } from '../report-limit.ts';
import { mailboxSubject } from './guesses.ts';
import { type OwnerProof, proveOwner } from './prove-owner.ts';
import { queueVerificationMail } from './register-account.ts';

/**
 * Requests a new email address, which takes effect when its link is opened (`verifyEmail`). For an address that is
 * already in use, the response is the same, but no link is sent. Throws `invalid_parameter`, `rate_limited`, and the
 * errors of `proveOwner`.
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
    const retryAfterS = await readLinkWaitS(tx, user.id, 'email_change_asked');
    if (retryAfterS > 0)
      throw new AppError('rate_limited', { detail: accountResponses.linkTooSoon(retryAfterS), meta: { retryAfterS } });
    await deleteAccountTokens(tx, user.id, ['change_email']);
    await deleteWaitingMails(tx, user.id, ['confirm_new_email']);
    const isFree = !(await findUserByLogin(tx, email));
    if ((await takeAddressAttempt(tx, email)) && isFree)
      await queueMail(tx, user.id, { mail: 'confirm_new_email', to: email });
    await queueMail(tx, user.id, { mail: 'email_change_asked', newEmail: email });
  });
}

/**
 * Counts an email to a new address's mailbox, across all accounts. Returns false if the mailbox has reached its limit.
 */
export async function takeAddressAttempt(tx: Tx, email: string): Promise<boolean> {
  const pauseS = limits.newAddressMinutes * 60;
  const subject = mailboxSubject((await readMailbox(tx, email)).mailbox);
  const isTaken = await takeAttempt(tx, { subject, max: limits.newAddressMails, pauseS, blockS: pauseS, growth: 1 });
  if (!isTaken) reportLimit('new_address_mails');
  return isTaken;
}

const kinds = ['verify', 'change_email'] as const;

async function confirmEmail(tx: Tx, user: UserRow, email: string): Promise<void> {
  if (user.email !== email) throw new AppError('invalid_token');
  if (!user.emailVerified) await updateUser(tx, user.id, { emailVerified: true });
}

/**
 * Confirms an email address with the token from a link. Opening the link again has no effect. Throws `invalid_token` or
 * `email_taken`.
 */
export async function verifyEmail(ctx: Needs<'db'>, token: string): Promise<void> {
  const tokenHash = hashLinkToken(token);
  const found = await findAccountToken(ctx.db, tokenHash, kinds);
  if (!found) throw new AppError('invalid_token');
  const follow = async (tx: Tx) => {
    const user = await lockUser(tx, found.userId);
    const held = await findAccountToken(tx, tokenHash, kinds);
    if (!user || user.suspendedAt !== null || !held) throw new AppError('invalid_token');
    await (held.kind === 'verify' ? confirmEmail(tx, user, held.email) : applyEmailChange(tx, user, held));
  };
  await ctx.db
    .transaction()
    .execute(follow)
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('email_taken', { cause: error }) : error;
    });
}

/**
 * Changes an account's email address to the confirmed one and notifies the former address. The link then works as a
 * confirmation link, which makes opening it again harmless.
 */
export async function applyEmailChange(tx: Tx, user: UserRow, { tokenHash, email }: AccountToken): Promise<void> {
  const isNamedByIt = user.username.toLowerCase() === user.email.toLowerCase();
  await updateUser(tx, user.id, { email, emailVerified: true, ...(isNamedByIt ? { username: email } : {}) });
  await changeTokenKind(tx, tokenHash, 'verify');
  await revokeLinks(tx, user.id);
  await deleteWaitingMails(tx, user.id, ['verify_email']);
  // An unconfirmed address may belong to someone else.
  if (user.emailVerified) await queueMail(tx, user.id, { mail: 'email_changed', to: user.email, newEmail: email });
}

/**
 * Resends the confirmation link and returns a message for the user. `next`: the page to open afterward. Throws
 * `rate_limited` with the seconds to wait if the last link is too recent, and `not_signed_in` if the account was
 * deleted in the meantime.
 */
export function resendVerification(
  ctx: Needs<'db'>,
  { userId, next }: { userId: string; next: string | undefined },
): Promise<string> {
  return ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    if (user.emailVerified) return accountResponses.emailAlreadyConfirmed;
    const retryAfterS = await readLinkWaitS(tx, userId, 'verify_email');
    if (retryAfterS > 0)
      throw new AppError('rate_limited', {
        detail: accountResponses.verificationTooSoon(user.email, retryAfterS),
        meta: { retryAfterS },
      });
    await queueVerificationMail(tx, userId, next);
    return accountResponses.verificationSent(user.email);
  });
}

/**
 * Returns how long to wait before sending another email of this kind, in seconds. The limit keeps mailboxes from being
 * flooded. The caller must lock the user first.
 */
export async function readLinkWaitS(tx: Tx, userId: string, mail: MailName): Promise<number> {
  const ages = await listMailAges(tx, userId, mail);
  const [newest = Number.POSITIVE_INFINITY] = ages;
  const oldest = ages[limits.mailsOfKind - 1] ?? Number.POSITIVE_INFINITY;
  const waitS = Math.max(
    0,
    Math.ceil(limits.linkMailSeconds - newest),
    Math.ceil(limits.mailsOfKindMinutes * 60 - oldest),
  );
  if (waitS > 0) reportLimit('mails');
  return waitS;
}

/** Revokes every link that could take over the account, including links in queued emails. */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await deleteAccountTokens(tx, userId, ['reset', 'change_email']);
  await deleteWaitingMails(tx, userId, ['reset_password', 'confirm_new_email']);
}
