import { openDb } from '@uprez/db/open-db';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';

/** Opens a database with one connection, in which `now()` is the time that was set. */
export async function openCalendar() {
  const database = await openTestDatabase();
  const { db, close } = openDb({ url: database.url, poolSize: 1, onError: () => {} });
  await sql`create schema calendar`.execute(db);
  await sql`create table calendar.clock (at timestamptz)`.execute(db);
  await sql`insert into calendar.clock values (clock_timestamp())`.execute(db);
  await sql`create function calendar.now() returns timestamptz stable language sql as 'select at from calendar.clock'`.execute(
    db,
  );
  await sql`set search_path = calendar, public, pg_catalog`.execute(db);
  return {
    db,
    /** Sets the time: `2026-11-05T12:00:00Z`. */
    setNow: (at: string) => sql`update calendar.clock set at = ${at}::timestamptz`.execute(db),
    close: async () => {
      await close();
      await database.close();
    },
  };
}
export type Calendar = Awaited<ReturnType<typeof openCalendar>>;
