import { createHash } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import type { EmailSettingsBody } from '@uprez/contracts/schemas/admin/settings';
import type { Mail, MailName } from '@uprez/contracts/schemas/mails';
import type { DbOrTx } from '@uprez/db/database';
import type { TokenKind } from '@uprez/db/queries/accounts/account-tokens';
import { takeAttempt } from '@uprez/db/queries/accounts/attempts';
import { findUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { readMailbox } from '@uprez/db/queries/mails/mailbox-of';
import { insertOutbox, listQueuedMailAges } from '@uprez/db/queries/mails/outbox';
import { uuidv7 } from 'uuidv7';
import type { SettingsByName } from '../context.ts';
import { reportLimit } from '../report-limit.ts';

/**
 * Queues an email that is sent after the commit. Emails are rate limited per kind. An unconfirmed address may belong to
 * someone else, so it receives only welcome, confirmation, and password reset emails. The caller must lock the user,
 * because concurrent emails could otherwise exceed the limit.
 */
export async function queueMail(tx: DbOrTx, userId: string | undefined, mail: Mail): Promise<void> {
  const id = uuidv7();
  if (userId === undefined) return insertOutbox(tx, { id, kind: 'mail', payload: mail });
  if ((await listMailAges(tx, userId, mail.mail)).length >= limits.mailsOfKind) return reportLimit('mails');
  const user = await findUser(tx, userId);
  // The account that runs status probes has no mailbox.
  if (user && (user.isService || isOptedOut(mail.mail, user))) return;
  if (user && isToUnconfirmed(mail, user) && !(await countAliasMail(tx, user.email))) return;
  const isWithheld = !user?.emailVerified && !goesUnconfirmed(mail.mail);
  // Withheld emails count toward the limit, so they are stored, but without their content.
  const rest = isWithheld ? { payload: { mail: mail.mail }, failure: withheldReasons.unconfirmed } : { payload: mail };
  await insertOutbox(tx, { id, kind: 'mail', userId, ...rest });
}

const isToUnconfirmed = (mail: Mail, { emailVerified }: UserRow): boolean =>
  !emailVerified && !('to' in mail) && goesUnconfirmed(mail.mail);

/**
 * Counts an email to an unconfirmed address that is an alias of a mailbox. Limits per account aren't enough, because
 * anyone can sign up with any number of aliases of a stranger's mailbox. Returns false when the mailbox has reached the
 * limit.
 */
async function countAliasMail(tx: DbOrTx, email: string): Promise<boolean> {
  const { mailbox, isAlias } = await readMailbox(tx, email);
  if (!isAlias) return true;
  const pauseS = limits.aliasMailsHours * 3_600;
  const subject = `alias:${createHash('sha256').update(mailbox).digest('hex')}`;
  const rule = { subject, max: limits.aliasMails, pauseS, blockS: pauseS, growth: 1 } as const;
  const isTaken = await takeAttempt(tx, rule);
  if (!isTaken) reportLimit('alias_mails');
  return isTaken;
}

/**
 * Returns the ages of an account's emails of one kind, in seconds, newest first. Includes only emails that are recent
 * enough to count toward the limit.
 */
export const listMailAges = (db: DbOrTx, userId: string, mail: MailName): Promise<number[]> =>
  listQueuedMailAges(db, { userId, mail, withinS: limits.mailsOfKindMinutes * 60 });

/** Emails about account security can't be turned off. */
const switches: Partial<Record<MailName, 'welcomeEmailEnabled' | 'notificationEmailEnabled'>> = {
  welcome: 'welcomeEmailEnabled',
  export_ready: 'notificationEmailEnabled',
  quota_warning: 'notificationEmailEnabled',
  batch_ended: 'notificationEmailEnabled',
  webhook_failing: 'notificationEmailEnabled',
  webhook_disabled: 'notificationEmailEnabled',
};

/** Whether an administrator has turned off this email. */
export function isSwitchedOff(mail: MailName, settings: EmailSettingsBody): boolean {
  const name = switches[mail];
  return name !== undefined && !settings[name];
}

const optOutSettings: Partial<Record<MailName, 'quotaEmails' | 'batchEmails'>> = {
  quota_warning: 'quotaEmails',
  batch_ended: 'batchEmails',
};

function isOptedOut(mail: MailName, user: UserRow): boolean {
  const choice = optOutSettings[mail];
  return choice !== undefined && !user[choice];
}

const unconfirmedMails: readonly MailName[] = ['welcome', 'verify_email', 'confirm_new_email', 'reset_password'];
const goesUnconfirmed = (mail: MailName): boolean => unconfirmedMails.includes(mail);

export const mailLinks: Partial<Record<MailName, { kind: TokenKind; lifeS: number }>> = {
  verify_email: { kind: 'verify', lifeS: limits.confirmLinkHours * 3_600 },
  confirm_new_email: { kind: 'change_email', lifeS: limits.confirmLinkHours * 3_600 },
  reset_password: { kind: 'reset', lifeS: limits.resetLinkMinutes * 60 },
};

/**
 * Returns the reason, for the log, why these settings can't send email, or undefined if they can. Emails stay queued
 * until the cause is resolved.
 */
export function findPauseReason({ smtpHost, smtpPassword }: SettingsByName['email']): string | undefined {
  if (!smtpHost) return 'no mail server configured';
  return smtpPassword === null ? 'SMTP password encrypted under another VAULT_SECRET' : undefined;
}

/** Reasons why an email is deliberately not sent, as stored in the outbox. */
export const withheldReasons = {
  unconfirmed: 'the address was never confirmed',
  switchedOff: 'such mails are switched off',
  deleted: 'the account is gone',
  takenBack: 'the mail was taken back',
} as const;
