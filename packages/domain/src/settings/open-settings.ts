import type { EmailSettings } from '@uprez/contracts/schemas/admin/settings';
import { findSettings, findSettingsRow } from '@uprez/db/queries/instance/instance';
import type { Needs, Settings, SettingsByName } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';
import type { Vault } from '../vault.ts';

export const smtpPurpose = 'settings:smtpPassword';
const freshnessMs = 1_000;

/**
 * Unseals the SMTP password. Returns null if it was sealed with another VAULT_SECRET. Returns an empty string for a
 * removed password, which is stored as one.
 */
function unsealPassword(vault: Vault, sealed: string): string | null {
  if (sealed === '') return '';
  try {
    return vault.unseal(sealed, smtpPurpose);
  } catch {
    return null;
  }
}

/** Opens the site settings, which are cached for 1 second. Reading throws while PostgreSQL is unavailable. */
export function openSettings({ db, vault, first }: Needs<'db' | 'vault'> & { first: SettingsByName }): Settings {
  const recent = makeRecentReads<unknown>({ freshMs: freshnessMs, entries: Object.keys(first).length });
  const merge: Settings['merge'] = (name, stored = {}) => {
    const { smtpPassword: sealed, ...plain } = stored;
    const password = typeof sealed === 'string' ? { smtpPassword: unsealPassword(vault, sealed) } : {};
    return { ...first[name], ...plain, ...password };
  };
  const load = async (name: keyof SettingsByName) => merge(name, await findSettings(db, name));
  return {
    merge,
    forget: (name) => recent.forget(name),
    read: <Name extends keyof SettingsByName>(name: Name) =>
      recent.read(name, () => load(name)) as Promise<SettingsByName[Name]>,
  };
}

/** Settings with their version, which is the number of the last change. The version is 0 before the first change. */
export type Versioned<Values> = Values & { version: number };

/** Returns the stored settings for editing, uncached. */
export async function getSettings<Name extends keyof SettingsByName>(
  ctx: Needs<'db' | 'settings'>,
  name: Name,
): Promise<Versioned<SettingsByName[Name]>> {
  const row = await findSettingsRow(ctx.db, name);
  return { ...ctx.settings.merge(name, row?.value), version: row?.version ?? 0 };
}

export const hidePassword = ({
  smtpPassword,
  ...plain
}: Versioned<SettingsByName['email']>): Versioned<EmailSettings> => ({
  ...plain,
  smtpPassword: '',
  smtpPasswordSet: Boolean(smtpPassword),
  ...(smtpPassword === null && { smtpPasswordLost: true as const }),
});
