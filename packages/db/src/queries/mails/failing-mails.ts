import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

export type FailingMails = { failed: number; overdue: number };

/**
 * Counts emails that failed finally within `failedS`, and those that have waited longer than `overdueS`. `intended`: reasons
 * of emails that weren't sent on purpose.
 */
export async function countFailingMails(
  db: DbOrTx,
  { failedS, overdueS, intended }: { failedS: number; overdueS: number; intended: readonly string[] },
): Promise<FailingMails> {
  const { rows } = await sql<FailingMails>`
    select
      count(*) filter (where failed_at > now() - make_interval(secs => ${failedS})
        and not last_error = any(${[...intended]}::text[])) as failed,
      count(*) filter (where failed_at is null and created_at < now() - make_interval(secs => ${overdueS})) as overdue
    from outbox where kind = 'mail' and sent_at is null`.execute(db);
  return rows[0] ?? { failed: 0, overdue: 0 };
}
