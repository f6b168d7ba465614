import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { SettingsTable } from '../../tables/settings.ts';
import { now } from '../../times.ts';

export type SettingsName = SettingsTable['name'];

/** The stored values of some settings by name; a name that nobody has written is absent. `lock`: until the transaction ends. */
export async function findSettings(
  db: DbOrTx,
  name: SettingsName,
  { lock = false }: { lock?: boolean } = {},
): Promise<Record<string, unknown> | undefined> {
  // The row may not be there yet, and then there is nothing to lock.
  if (lock) await sql`select pg_advisory_xact_lock(hashtextextended(${`settings:${name}`}, 0))`.execute(db);
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
