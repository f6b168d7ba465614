import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Files marked for deletion that are read to find the oldest one. */
const deletingRows = 1_000;

/** Seconds since the end of the retention of the oldest file that still exists; 0 if there is none. */
export async function readOverdueSeconds(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(0, coalesce(extract(epoch from now() - least(
      (select min(expires_at) from jobs where status = 'completed'),
      (select min(expires_at) from objects where expires_at is not null),
      (select min(jobs.expires_at) from (
        select job_id from objects where state = 'deleting' order by created_at limit ${deletingRows}
      ) deleting join jobs on jobs.id = deleting.job_id)
    )), 0))::float8 as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

export type StoredTotals = { state: 'writing' | 'stored' | 'deleting'; files: number; bytes: number };

/** Files and bytes by state, read from an index. A state without files has no row. */
export async function readStoredTotals(db: DbOrTx): Promise<StoredTotals[]> {
  const { rows } = await sql<StoredTotals>`
    select state, count(*) as files, coalesce(sum(size), 0)::float8 as bytes from objects group by state`.execute(db);
  return rows;
}
