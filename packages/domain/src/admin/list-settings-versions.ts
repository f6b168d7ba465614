import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { SettingsVersionView } from '@uprez/contracts/schemas/admin/settings-versions';
import {
  countSettingsVersions,
  listSettingsVersions as findVersions,
  type SettingsVersion,
} from '@uprez/db/queries/instance/settings-versions';
import type { FormSettings, Needs } from '../context.ts';
import { changedFields } from './change-user.ts';

type VersionsPage = { rows: SettingsVersionView[]; total: number; nextCursor: number | undefined };

/**
 * Returns the versions of settings with their changes, newest first. `cursor`: only versions older than this one are
 * returned.
 */
export async function listSettingsVersions(
  ctx: Needs<'db'>,
  { name, cursor, limit = limits.pageRows }: { name: FormSettings; cursor?: number; limit?: number },
): Promise<VersionsPage> {
  // Fetches one more than the page, because the last row is compared with it.
  const found = await findVersions(ctx.db, { name, before: cursor, limit: limit + 1 });
  const rows = found.slice(0, limit).map((version, index) => toView(version, found[index + 1]));
  const total = await countSettingsVersions(ctx.db, name);
  return { rows, total, nextCursor: found.length > limit ? rows.at(-1)?.version : undefined };
}

function toView(version: SettingsVersion, previous: SettingsVersion | undefined): SettingsVersionView {
  const changed =
    previous && changedFields(previous.value, { ...mapRemovedFields(previous, version), ...version.value });
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

/** Maps the fields that a version no longer has to null. */
const mapRemovedFields = (previous: SettingsVersion, { value }: SettingsVersion) =>
  Object.fromEntries(
    Object.keys(previous.value)
      .filter((field) => !(field in value))
      .map((field) => [field, null]),
  );

/** Throws `settings_version_not_found` if a string isn't the name of settings. */
export function requireSettingsName(name: string, names: readonly FormSettings[]): asserts name is FormSettings {
  if (!(names as readonly string[]).includes(name)) throw new AppError('settings_version_not_found');
}
