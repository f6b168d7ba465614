import { sql } from 'kysely';
import type { DbOrTx } from '../database.ts';

/** Delete the rows of previews that are over and have no file left, a batch of them; how many. */
export async function deletePreviewRows(db: DbOrTx): Promise<number> {
  const { rows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where kind = 'preview' and status in ('expired', 'failed', 'cancelled')
        and not exists (select from objects where objects.job_id = jobs.id)
      limit 500
    ) returning id`.execute(db);
  return rows.length;
}
