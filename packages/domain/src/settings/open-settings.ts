import { findSettings } from '@uprez/db/queries/instance/settings';
import type { Needs, Settings, SettingsByName } from '../context.ts';
import type { Vault } from '../vault.ts';

export const smtpPurpose = 'settings:smtpPassword';
/** Cached values are used for this long. */
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
