import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * Run `work` unless another process holds the named lock; false then. The lock lives as long as one connection, so a
 * dead holder frees it.
 */
export function withAdvisoryLock(db: Db, name: string, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(hashtext(${name})) as taken`.execute(
      connection,
    );
    if (!rows[0]?.taken) return false;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${name}))`.execute(connection);
    }
    return true;
  });
}
