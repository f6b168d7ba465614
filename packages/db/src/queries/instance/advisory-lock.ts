import { sql } from 'kysely';
import type { Db } from '../../database.ts';

export type LockWish = {
  name: string;
  /** Wait for the present holder, instead of leaving the work to it. */
  wait?: boolean;
};

/**
 * Run `work` while holding a named lock; false when another process holds it (and we do not wait). The lock lives as
 * long as one connection, so a dead holder frees it.
 */
export function withAdvisoryLock(db: Db, { name, wait }: LockWish, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    if (wait) await sql`select pg_advisory_lock(hashtext(${name}))`.execute(connection);
    else if (!(await tryLock(connection, name))) return false;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${name}))`.execute(connection);
    }
    return true;
  });
}

async function tryLock(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(hashtext(${name})) as taken`.execute(db);
  return rows[0]?.taken ?? false;
}
