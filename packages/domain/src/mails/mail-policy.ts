import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import type { EmailSettingsBody } from '@uprez/contracts/schemas/settings';
import type { TokenKind } from '@uprez/db/queries/accounts/account-tokens';

/** What may keep a mail from being sent; all others are about the safety of an account and always go. */
const switches: Partial<Record<MailName, 'welcomeEmailEnabled' | 'notificationEmailEnabled'>> = {
  welcome: 'welcomeEmailEnabled',
  export_ready: 'notificationEmailEnabled',
  quota_warning: 'notificationEmailEnabled',
  webhook_failing: 'notificationEmailEnabled',
  webhook_disabled: 'notificationEmailEnabled',
};

/** Whether an administrator has switched this mail off. */
export function isSwitchedOff(mail: MailName, settings: EmailSettingsBody): boolean {
  const name = switches[mail];
  return name !== undefined && !settings[name];
}

const unconfirmed: readonly MailName[] = ['welcome', 'verify_email', 'confirm_new_email', 'reset_password'];
/** Whether this mail goes about an account whose address was never confirmed: where its owner needs it to confirm one. */
export const goesUnconfirmed = (mail: MailName): boolean => unconfirmed.includes(mail);

/** Mails with a link that does something: what it does, and for how many seconds. */
export const mailLinks: Partial<Record<MailName, { kind: TokenKind; lifeS: number }>> = {
  verify_email: { kind: 'verify', lifeS: limits.confirmLinkHours * 3_600 },
  confirm_new_email: { kind: 'change_email', lifeS: limits.confirmLinkHours * 3_600 },
  reset_password: { kind: 'reset', lifeS: limits.resetLinkMinutes * 60 },
};
