import { type Kysely, sql } from 'kysely';

/** A migration step that runs SQL statements in order. */
export const runAll = (statements: readonly string[]) => async (db: Kysely<unknown>) => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
