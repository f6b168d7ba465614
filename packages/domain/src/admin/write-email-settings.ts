import type { Needs, SettingsByName } from '../context.ts';
import type { Versioned } from '../settings/open-settings.ts';
import { announceMailChange } from './announce-mail-change.ts';
import { type SettingsWrite, writeSettings } from './write-settings.ts';

type EmailWrite = Omit<SettingsWrite<'email'>, 'name'> & { publicUrl: string };

/** Writes the email settings after the owners were told through the present mail server. Throws the errors of `writeSettings`. */
export async function writeEmailSettings(
  ctx: Needs<'db' | 'vault' | 'settings' | 'log'>,
  { publicUrl, ...write }: EmailWrite,
): Promise<Versioned<SettingsByName['email']>> {
  await announceMailChange(ctx, { ...write, accountId: write.admin.accountId, publicUrl });
  return writeSettings(ctx, { ...write, name: 'email' });
}
