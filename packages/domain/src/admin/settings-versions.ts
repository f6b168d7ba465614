import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import {
  billingSettingsSchema,
  emailSettingsBodySchema,
  securitySettingsSchema,
  seoSettingsSchema,
  siteSettingsSchema,
} from '@uprez/contracts/schemas/admin/settings';
import type { SettingsVersionView } from '@uprez/contracts/schemas/admin/settings-versions';
import {
  countSettingsVersions,
  findSettingsVersion,
  listSettingsVersions as findVersions,
  type SettingsVersion,
} from '@uprez/db/queries/instance/settings-versions';
import type { FormSettings, Needs } from '../context.ts';
import type { Administrator } from './administrator.ts';
import { diffFields } from './change-user.ts';
import { writeEmailSettings } from './email-settings.ts';
import { writeSettings } from './write-settings.ts';

type VersionsPage = { rows: SettingsVersionView[]; total: number; nextCursor: number | undefined };

/**
 * Returns a page of a settings group's versions, newest first, with the changes in each. `cursor`: a version number.
 * Only older versions are returned.
 */
export async function listSettingsVersions(
  ctx: Needs<'db'>,
  { name, cursor, limit = limits.pageRows }: { name: FormSettings; cursor?: number; limit?: number },
): Promise<VersionsPage> {
  // Fetches one version more than the page holds, because the changes in the page's last row are relative to the
  // version before it.
  const found = await findVersions(ctx.db, { name, before: cursor, limit: limit + 1 });
  const rows = found.slice(0, limit).map((version, index) => toView(version, found[index + 1]));
  const total = await countSettingsVersions(ctx.db, name);
  return { rows, total, nextCursor: found.length > limit ? rows.at(-1)?.version : undefined };
}

function toView(version: SettingsVersion, previous: SettingsVersion | undefined): SettingsVersionView {
  const changed = previous && diffFields(previous.value, { ...mapRemovedFields(previous, version), ...version.value });
  const fields = Object.entries(changed?.after ?? {}).map(([field, after]) => {
    const [before, now] = [changed?.before[field], after] as SettingsVersionView['changes'][number]['before'][];
    return { field, secret: false, before, after: now };
  });
  const secrets = version.secrets.map((field) => ({ field, secret: true }));
  return {
    version: version.version,
    at: version.createdAt.toISOString(),
    author: version.author,
    restoredFrom: version.restoredFrom,
    changes: [...fields, ...secrets],
  };
}

/**
 * Returns null for each field of the previous version that a version doesn't have. As a result, removed fields show up
 * as changes.
 */
const mapRemovedFields = (previous: SettingsVersion, { value }: SettingsVersion) =>
  Object.fromEntries(
    Object.keys(previous.value)
      .filter((field) => !(field in value))
      .map((field) => [field, null]),
  );

/** Throws `settings_version_not_found` if the name isn't one of the given settings. */
export function requireSettingsName(name: string, names: readonly FormSettings[]): asserts name is FormSettings {
  if (!(names as readonly string[]).includes(name)) throw new AppError('settings_version_not_found');
}

type RestoreInput = {
  admin: Administrator;
  name: FormSettings;
  version: number;
  seen: number;
  smtpPassword?: string | null | undefined;
  publicUrl: string;
};

const schemas = {
  site: siteSettingsSchema.partial(),
  email: emailSettingsBodySchema.omit({ smtpPassword: true }).partial(),
  security: securitySettingsSchema.partial(),
  billing: billingSettingsSchema.partial(),
  seo: seoSettingsSchema.partial(),
} as const satisfies Record<FormSettings, unknown>;

/**
 * Restores the values of an earlier version and returns the number of the new version. Keeps the mail server's password
 * if the server is the same. Otherwise, `smtpPassword` must be given if the server needs a password. Throws
 * `settings_version_not_found`, `invalid_parameter` for values that are no longer allowed, and the errors of
 * `writeSettings`.
 */
export async function restoreSettings(
  ctx: Needs<'db' | 'vault' | 'settings' | 'log'>,
  { admin, name, version, seen, smtpPassword, publicUrl }: RestoreInput,
): Promise<{ version: number }> {
  const found = await findSettingsVersion(ctx.db, name, version);
  if (!found) throw new AppError('settings_version_not_found');
  const restored = { restoredFrom: version, restoredPassword: smtpPassword };
  const change = { admin, value: parseVersionValue(name, found), seen, ...restored };
  const written = await (name === 'email'
    ? writeEmailSettings(ctx, { ...change, publicUrl })
    : writeSettings(ctx, { ...change, name }));
  return { version: written.version };
}

/**
 * Returns a version's values. Doesn't validate version 0, because it holds the values from the environment, which may
 * lack a mail server.
 */
function parseVersionValue(name: FormSettings, { version, value }: SettingsVersion): object {
  if (version === 0) return value;
  const { data, error } = schemas[name].safeParse(value);
  if (error) throw new AppError('invalid_parameter', { param: 'version', detail: error.issues[0]?.message ?? '' });
  return data;
}
