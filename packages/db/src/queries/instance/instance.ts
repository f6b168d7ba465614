import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

export async function findInstanceFact(db: DbOrTx, name: string): Promise<string | undefined> {
  return (await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst())?.value;
}

/** Insert a fact unless it exists; returns the stored value. */
export async function ensureInstanceFact(db: DbOrTx, name: string, value: string): Promise<string> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findInstanceFact(db, name)) ?? value;
}

/** Throws when PostgreSQL is unreachable. */
export async function ping(db: DbOrTx): Promise<void> {
  await sql`select 1`.execute(db);
}
