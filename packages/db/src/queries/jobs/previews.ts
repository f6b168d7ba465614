import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Days that a finished job of the sandbox can be asked for. */
const sandboxDays = 1;

/** Delete the rows of previews and of the sandbox's jobs that are over and have no file left, a batch of them; how many. */
export async function deletePreviewRows(db: DbOrTx): Promise<number> {
  const { rows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where kind in ('preview', 'sandbox') and status in ('expired', 'failed', 'cancelled')
        and (kind = 'preview' or finished_at < now() - make_interval(days => ${sandboxDays}))
        and not exists (select from objects where objects.job_id = jobs.id)
      limit 500
    ) returning id`.execute(db);
  return rows.length;
}
