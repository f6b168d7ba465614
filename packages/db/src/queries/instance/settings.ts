import type { DbOrTx } from '../../database.ts';
import type { SettingsTable } from '../../tables/instance-tables.ts';
import { now } from '../../times.ts';

export type SettingsName = SettingsTable['name'];

/** The stored values of a group of settings; undefined before the first write. */
export async function findSettings(db: DbOrTx, name: SettingsName): Promise<Record<string, unknown> | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value;
}

export async function upsertSettings(db: DbOrTx, name: SettingsName, value: Record<string, unknown>): Promise<void> {
  const row = { value: JSON.stringify(value), updatedAt: now };
  await db
    .insertInto('settings')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}
