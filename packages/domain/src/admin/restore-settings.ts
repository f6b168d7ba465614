import { AppError } from '@uprez/contracts/errors/app-error';
import { seoSettingsSchema } from '@uprez/contracts/schemas/admin/seo-settings';
import {
  billingSettingsSchema,
  emailSettingsBodySchema,
  securitySettingsSchema,
  siteSettingsSchema,
} from '@uprez/contracts/schemas/admin/settings';
import { findSettingsVersion, type SettingsVersion } from '@uprez/db/queries/instance/settings-versions';
import type { FormSettings, Needs } from '../context.ts';
import type { Administrator } from './administrator.ts';
import { writeEmailSettings } from './write-email-settings.ts';
import { writeSettings } from './write-settings.ts';

type Restore = {
  admin: Administrator;
  name: FormSettings;
  version: number;
  seen: number;
  smtpPassword?: string | null | undefined;
  publicUrl: string;
};

/** Schemas of the fields that a version can restore. */
const schemas = {
  site: siteSettingsSchema.partial(),
  email: emailSettingsBodySchema.omit({ smtpPassword: true }).partial(),
  security: securitySettingsSchema.partial(),
  billing: billingSettingsSchema.partial(),
  seo: seoSettingsSchema.partial(),
} as const satisfies Record<FormSettings, unknown>;

/**
 * Writes the values of a version again, and returns the new version number. The mail server's password stays if the
 * version has the same server, and must be given otherwise. Throws `settings_version_not_found`, `invalid_parameter`
 * for values that are no longer allowed, and the errors of `writeSettings`.
 */
export async function restoreSettings(
  ctx: Needs<'db' | 'vault' | 'settings' | 'log'>,
  { admin, name, version, seen, smtpPassword, publicUrl }: Restore,
): Promise<{ version: number }> {
  const found = await findSettingsVersion(ctx.db, name, version);
  if (!found) throw new AppError('settings_version_not_found');
  const restored = { restoredFrom: version, restoredPassword: smtpPassword };
  const change = { admin, value: readValue(name, found), seen, ...restored };
  const written = await (name === 'email'
    ? writeEmailSettings(ctx, { ...change, publicUrl })
    : writeSettings(ctx, { ...change, name }));
  return { version: written.version };
}

/** Returns the values of a version. Version 0 has the values of the environment, which may lack a mail server. */
function readValue(name: FormSettings, { version, value }: SettingsVersion): object {
  if (version === 0) return value;
  const { data, error } = schemas[name].safeParse(value);
  if (error) throw new AppError('invalid_parameter', { param: 'version', detail: error.issues[0]?.message ?? '' });
  return data;
}
