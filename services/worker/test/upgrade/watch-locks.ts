import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

/** Measures how long statements wait for the lock of a table, until stopped. */
export function watchLocks(db: Db) {
  let isOver = false;
  let longestMs = 0;
  const watch = async () => {
    while (!isOver) {
      const { rows } = await sql<{ ms: number }>`
        select coalesce(max(extract(epoch from clock_timestamp() - waitstart)) * 1000, 0)::float as ms from pg_locks
        where not granted and locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
      `.execute(db);
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const watching = watch();
  return {
    /** Returns the longest wait in milliseconds. */
    stop: async () => {
      isOver = true;
      await watching;
      return longestMs;
    },
  };
}
