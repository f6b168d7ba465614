import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

export async function countLockWaiters(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
