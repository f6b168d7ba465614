import type { SettingsByName } from '../context.ts';

/** Why no mail can be sent with these settings, for the log; undefined if one can. Mails wait until it is resolved. */
export function whyPaused({ smtpHost, smtpPassword }: SettingsByName['email']): string | undefined {
  if (!smtpHost) return 'no mail server configured';
  return smtpPassword === null ? 'SMTP password encrypted under another VAULT_SECRET' : undefined;
}
