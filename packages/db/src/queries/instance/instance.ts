import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { SettingsTable } from '../../tables/instance-tables.ts';
import { now } from '../../times.ts';

export async function findInstanceFact(db: DbOrTx, name: string): Promise<string | undefined> {
  return (await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst())?.value;
}

/** Returns the values of facts by name. Missing facts are left out. */
export async function listInstanceFacts(db: DbOrTx, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('instance').selectAll().where('name', 'in', names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Inserts a fact unless it exists. Returns the stored value. */
export async function ensureInstanceFact(db: DbOrTx, name: string, value: string): Promise<string> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findInstanceFact(db, name)) ?? value;
}

/** Locks a fact until the transaction ends, and adds an empty fact if it's missing. Returns the fact's value. */
export async function lockInstanceFact(tx: Tx, name: string): Promise<string> {
  await tx
    .insertInto('instance')
    .values({ name, value: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = tx.selectFrom('instance').select('value').where('name', '=', name).forUpdate();
  return (await row.executeTakeFirstOrThrow()).value;
}

export async function setInstanceFact(db: DbOrTx, name: string, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Throws when PostgreSQL is unreachable. */
export async function ping(db: DbOrTx): Promise<void> {
  await sql`select 1`.execute(db);
}

export type SettingsName = SettingsTable['name'];
export type StoredSettings = { value: Record<string, unknown>; version: number };

/** Returns the stored values of a group of settings and their version, or undefined before the first write. */
export const findSettingsRow = (db: DbOrTx, name: SettingsName): Promise<StoredSettings | undefined> =>
  db.selectFrom('settings').select(['value', 'version']).where('name', '=', name).executeTakeFirst();

/** Returns the stored values of a group of settings, or undefined before the first write. */
export async function findSettings(db: DbOrTx, name: SettingsName): Promise<Record<string, unknown> | undefined> {
  return (await findSettingsRow(db, name))?.value;
}

/** Writes a group of settings. Returns the new version. */
export async function upsertSettings(db: DbOrTx, name: SettingsName, value: Record<string, unknown>): Promise<number> {
  const row = { value: JSON.stringify(value), updatedAt: now };
  const written = await db
    .insertInto('settings')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ ...row, version: sql`settings.version + 1` }))
    .returning('version')
    .executeTakeFirstOrThrow();
  return written.version;
}
