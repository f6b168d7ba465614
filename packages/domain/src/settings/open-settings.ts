import { AppError } from '@uprez/contracts/errors/app-error';
import type { EmailSettings } from '@uprez/contracts/schemas/settings';
import { findSettings } from '@uprez/db/queries/instance/instance';
import type { Needs, Settings, SettingsByName } from '../context.ts';
import type { Vault } from '../vault.ts';

export const smtpPurpose = 'settings:smtpPassword';
const freshMs = 1_000;

/** A password sealed with another VAULT_SECRET is lost and counts as empty. */
function unsealPassword(vault: Vault, sealed: string): string {
  try {
    return vault.unseal(sealed, smtpPurpose);
  } catch {
    return '';
  }
}

/** The settings of the site, kept for a second. While PostgreSQL is away reading throws, as everything else does. */
export function openSettings({ db, vault, first }: Needs<'db' | 'vault'> & { first: SettingsByName }): Settings {
  const kept = new Map<keyof SettingsByName, { at: number; value: Promise<unknown> }>();
  const merge: Settings['merge'] = (name, stored = {}) => {
    const { smtpPassword: sealed, ...plain } = stored;
    const password = typeof sealed === 'string' ? { smtpPassword: unsealPassword(vault, sealed) } : {};
    return { ...first[name], ...plain, ...password };
  };
  const load = async (name: keyof SettingsByName) => merge(name, await findSettings(db, name));
  return {
    merge,
    forget: (name) => kept.delete(name),
    read: <Name extends keyof SettingsByName>(name: Name) => {
      const known = kept.get(name);
      if (known && Date.now() - known.at < freshMs) return known.value as Promise<SettingsByName[Name]>;
      const value = load(name);
      kept.set(name, { at: Date.now(), value });
      value.catch(() => kept.delete(name));
      return value as Promise<SettingsByName[Name]>;
    },
  };
}

/** The stored settings, uncached, for editing. */
export const getSettings = async <Name extends keyof SettingsByName>(
  ctx: Needs<'db' | 'settings'>,
  name: Name,
): Promise<SettingsByName[Name]> => ctx.settings.merge(name, await findSettings(ctx.db, name));

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

export function withoutPasswords({ before, after }: { before: Values; after: Values }) {
  if (!hasPassword(after)) return { before, after };
  const was = before.smtpPassword ? 'set' : 'not set';
  return { before: { ...before, smtpPassword: was }, after: { ...after, smtpPassword: 'changed' } };
}

export const hidePassword = ({ smtpPassword, ...plain }: SettingsByName['email']): EmailSettings => ({
  ...plain,
  smtpPassword: '',
  smtpPasswordSet: smtpPassword !== '',
});
