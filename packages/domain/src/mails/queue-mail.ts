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
 * someone else, so it gets only welcome, confirmation, and password reset emails. The caller locks the user so that
 * concurrent emails are counted.
 */
export async function queueMail(tx: DbOrTx, userId: string | undefined, mail: Mail): Promise<void> {
  const id = uuidv7();
  if (userId === undefined) return insertOutbox(tx, { id, kind: 'mail', payload: mail });
  if ((await listMailAges(tx, userId, mail.mail)).length >= limits.mailsOfKind) return reportLimit('mails');
  const user = await findUser(tx, userId);
  // The probe account has no mailbox.
  if (user && (user.isService || isOptedOut(mail.mail, user))) return;
  if (user && isToUnconfirmed(mail, user) && !(await takeAliasAttempt(tx, user.email))) return;
  const isWithheld = !user?.emailVerified && !goesUnconfirmed(mail.mail);
  // Withheld emails are stored without their content, because they count toward the limit.
  const rest = isWithheld ? { payload: { mail: mail.mail }, failure: withheldReasons.unconfirmed } : { payload: mail };
  await insertOutbox(tx, { id, kind: 'mail', userId, ...rest });
}

/** Whether an email goes to an account's unconfirmed address. */
const isToUnconfirmed = (mail: Mail, { emailVerified }: UserRow): boolean =>
  !emailVerified && !('to' in mail) && goesUnconfirmed(mail.mail);

/**
 * Counts an email to an unconfirmed address that is an alias of a mailbox. Each account has its own limits, but anyone
 * can sign up with any number of aliases of a stranger's mailbox. Returns false when the mailbox has reached the limit.
 */
async function takeAliasAttempt(tx: DbOrTx, email: string): Promise<boolean> {
  const { mailbox, isAlias } = await readMailbox(tx, email);
  if (!isAlias) return true;
  const pauseS = limits.aliasMailsHours * 3_600;
  const subject = `alias:${createHash('sha256').update(mailbox).digest('hex')}`;
  const rule = { subject, max: limits.aliasMails, pauseS, blockS: pauseS, growth: 1 } as const;
  const isTaken = await takeAttempt(tx, rule);
  if (!isTaken) reportLimit('alias_mails');
  return isTaken;
}

/** Returns the ages, in seconds, of an account's emails of one kind that count toward the limit, newest first. */
export const listMailAges = (db: DbOrTx, userId: string, mail: MailName): Promise<number[]> =>
  listQueuedMailAges(db, { userId, mail, withinS: limits.mailsOfKindMinutes * 60 });

/** Settings that turn off an email. Emails about account security are always sent. */
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

/** Emails that their recipient can turn off. */
const optOutSettings: Partial<Record<MailName, 'quotaEmails' | 'batchEmails'>> = {
  quota_warning: 'quotaEmails',
  batch_ended: 'batchEmails',
};

function isOptedOut(mail: MailName, user: UserRow): boolean {
  const choice = optOutSettings[mail];
  return choice !== undefined && !user[choice];
}

const unconfirmedMails: readonly MailName[] = ['welcome', 'verify_email', 'confirm_new_email', 'reset_password'];
/** Whether an email is sent even if the account's address was never confirmed. */
const goesUnconfirmed = (mail: MailName): boolean => unconfirmedMails.includes(mail);

/** Kind and lifetime of the link in emails that contain one. */
export const mailLinks: Partial<Record<MailName, { kind: TokenKind; lifeS: number }>> = {
  verify_email: { kind: 'verify', lifeS: limits.confirmLinkHours * 3_600 },
  confirm_new_email: { kind: 'change_email', lifeS: limits.confirmLinkHours * 3_600 },
  reset_password: { kind: 'reset', lifeS: limits.resetLinkMinutes * 60 },
};

/**
 * Returns why no email can be sent with these settings, for the log, or undefined if emails can be sent. Emails stay
 * queued until the cause is resolved.
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
