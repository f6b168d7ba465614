import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

/** Returns a hash of the rows of each table. */
export async function readTables(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const hashes: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ hash: string }>`select
      md5(coalesce(string_agg(t::text, e'\n' order by t::text), '')) as hash from ${sql.table(name)} t`.execute(db);
    hashes[name] = found.rows[0]?.hash ?? '';
  }
  return hashes;
}
