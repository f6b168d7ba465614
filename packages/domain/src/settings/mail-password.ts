import { AppError } from '@uprez/contracts/errors/app-error';
import type { EmailSettings } from '@uprez/contracts/schemas/settings';
import type { Needs, SettingsByName } from '../context.ts';
import { smtpPurpose } from './open-settings.ts';

/** Settings of any name. Those without a mail server's password pass through these functions unchanged. */
type Values = Record<string, unknown>;
const hasPassword = (values: Values) => 'smtpPassword' in values;

/** Identifies the server that a password belongs to. It must not be sent to another one. */
const serverOf = ({ smtpHost, smtpPort, smtpUser, smtpSecure }: Values) =>
  JSON.stringify([smtpHost, smtpPort, smtpUser, smtpSecure]);

/** An empty password keeps the stored one for the same server and user. Throws `invalid_parameter` without one. */
export function withPassword<Given extends Values>(held: Values, given: Given): Given {
  if (!hasPassword(given) || given.smtpPassword) return given;
  if (held.smtpPassword && serverOf(held) === serverOf(given)) return { ...given, smtpPassword: held.smtpPassword };
  throw new AppError('invalid_parameter', { param: 'smtpPassword', detail: 'SMTP password is required' });
}

/** Settings as they are stored: a new password sealed, a kept one as it was (it may be the environment's). */
export function sealPassword(
  ctx: Needs<'vault'>,
  { stored, held, value }: { stored: Values | undefined; held: Values; value: Values },
): Values {
  if (!hasPassword(value)) return value;
  const { smtpPassword, ...plain } = value;
  if (smtpPassword !== held.smtpPassword)
    return { ...plain, smtpPassword: ctx.vault.seal(String(smtpPassword), smtpPurpose) };
  return stored?.smtpPassword === undefined ? plain : { ...plain, smtpPassword: stored.smtpPassword };
}

/** A change for the audit trail, without the passwords. */
export function withoutPasswords({ before, after }: { before: Values; after: Values }) {
  if (!hasPassword(after)) return { before, after };
  const was = before.smtpPassword ? 'set' : 'not set';
  return { before: { ...before, smtpPassword: was }, after: { ...after, smtpPassword: 'changed' } };
}

/** Mail settings for administrators, without the password. */
export const hidePassword = ({ smtpPassword, ...plain }: SettingsByName['email']): EmailSettings => ({
  ...plain,
  smtpPassword: '',
  smtpPasswordSet: smtpPassword !== '',
});
