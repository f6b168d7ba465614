import { type Kysely, sql } from 'kysely';

/**
 * Returns the SQL statements that rebuild an index under the same name. Queries use the old index until the new one is
 * built.
 */
export const replaceIndex = (name: string, definition: string): string[] => [
  `drop index concurrently if exists ${name}_new`,
  `create index concurrently ${name}_new on ${definition}`,
  `drop index concurrently if exists ${name}`,
  `alter index ${name}_new rename to ${name}`,
];

/** Returns a migration step that runs SQL statements in order. */
export const runAll = (statements: readonly string[]) => async (db: Kysely<unknown>) => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
