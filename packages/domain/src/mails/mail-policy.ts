import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import type { EmailSettingsBody } from '@uprez/contracts/schemas/settings';
import type { TokenKind } from '@uprez/db/queries/accounts/account-tokens';

/** Settings that disable an email. Emails about account security are always sent. */
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
/** Whether an email is sent although the account's address was never confirmed. */
export const goesUnconfirmed = (mail: MailName): boolean => unconfirmed.includes(mail);

/** Emails with a link: its kind and its lifetime in seconds. */
export const mailLinks: Partial<Record<MailName, { kind: TokenKind; lifeS: number }>> = {
  verify_email: { kind: 'verify', lifeS: limits.confirmLinkHours * 3_600 },
  confirm_new_email: { kind: 'change_email', lifeS: limits.confirmLinkHours * 3_600 },
  reset_password: { kind: 'reset', lifeS: limits.resetLinkMinutes * 60 },
};
