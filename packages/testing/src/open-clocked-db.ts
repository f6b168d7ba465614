import type { Db } from '@uprez/db/database';
import { openDb } from '@uprez/db/open-db';
import { sql } from 'kysely';
import { runSql } from './sql.ts';

export type ClockedDb = { db: Db; setClock: (at: Date) => Promise<void>; close: () => Promise<void> };

/**
 * A pool on a test's database for which it is the time that the test says: `now()` and `clock_timestamp()` of its
 * statements are found in a schema that comes before PostgreSQL's own. Defaults of columns keep the real time.
 */
export async function openClockedDb(databaseUrl: string, at: Date): Promise<ClockedDb> {
  const function_ = (name: string) =>
    `create function clock.${name}() returns timestamptz stable language sql as 'select at from clock.hand'`;
  await runSql(
    databaseUrl,
    `create schema clock; create table clock.hand (at timestamptz not null); insert into clock.hand values (to_timestamp(0));
    ${function_('now')}; ${function_('clock_timestamp')}`,
  );
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=clock,public,pg_catalog');
  const { db, close } = openDb({ url: url.href, poolSize: 10, onError: () => {} });
  const setClock = async (moment: Date) => {
    await sql`update clock.hand set at = ${moment}`.execute(db);
  };
  await setClock(at);
  return { db, setClock, close };
}
