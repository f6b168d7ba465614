import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { Insertable, Selectable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { SettingsVersionsTable } from '../../tables/instance-tables.ts';
import type { SettingsName } from './instance.ts';

export type SettingsVersion = Omit<Selectable<SettingsVersionsTable>, 'actorId'> & {
  /** Null if there is no author, or if the account is deleted. */
  author: { id: string; email: string } | null;
};

type NewVersion = Omit<Insertable<SettingsVersionsTable>, 'value'> & { value: Record<string, unknown> };

export async function insertSettingsVersion(db: DbOrTx, version: NewVersion): Promise<void> {
  await db
    .insertInto('settingsVersions')
    .values({ ...version, value: JSON.stringify(version.value) })
    .execute();
}

/** Lists versions with their authors, newest first. `before`: only versions with a lower number. */
export async function listSettingsVersions(
  db: DbOrTx,
  { name, before, limit }: { name: SettingsName; before?: number | undefined; limit: number },
): Promise<SettingsVersion[]> {
  let query = selectVersions(db, name).orderBy('settingsVersions.version', 'desc').limit(limit);
  if (before !== undefined) query = query.where('settingsVersions.version', '<', before);
  return (await query.execute()).map(toVersion);
}

/** Finds a version with its author. Returns undefined if the version doesn't exist. */
export async function findSettingsVersion(
  db: DbOrTx,
  name: SettingsName,
  version: number,
): Promise<SettingsVersion | undefined> {
  const row = await selectVersions(db, name).where('settingsVersions.version', '=', version).executeTakeFirst();
  return row && toVersion(row);
}

/**
 * Returns the role of the latest version's author. The role is null if there is no author, or if the account is
 * suspended or deleted. Returns undefined if these settings have never been changed.
 */
export async function findLastAuthorRole(db: DbOrTx, name: SettingsName): Promise<{ role: Role | null } | undefined> {
  const row = await db
    .selectFrom('settingsVersions')
    .leftJoin('users', 'users.id', 'settingsVersions.actorId')
    .select(['users.role', 'users.suspendedAt'])
    .where('settingsVersions.name', '=', name)
    .orderBy('settingsVersions.version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { role: row.suspendedAt === null ? row.role : null };
}

export async function countSettingsVersions(db: DbOrTx, name: SettingsName): Promise<number> {
  const { n } = await db
    .selectFrom('settingsVersions')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return n;
}

const selectVersions = (db: DbOrTx, name: SettingsName) =>
  db
    .selectFrom('settingsVersions')
    .leftJoin('users', 'users.id', 'settingsVersions.actorId')
    .selectAll('settingsVersions')
    .select('users.email')
    .where('settingsVersions.name', '=', name);

function toVersion({
  actorId,
  email,
  ...version
}: Selectable<SettingsVersionsTable> & { email: string | null }): SettingsVersion {
  return { ...version, author: actorId !== null && email !== null ? { id: actorId, email } : null };
}
