import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Emails that are to be sent. `oldestS`: the age of the oldest one, in seconds, without those of campaigns. */
export type MailBacklog = { single: number; campaign: number; oldestS: number };

/** Counts the emails that are to be sent, in the indexes of those alone. */
export async function readMailBacklog(db: DbOrTx): Promise<MailBacklog> {
  const { rows } = await sql<MailBacklog>`
    select count(*) as single, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestS",
      (select count(*) from campaign_mails where state = 'pending') as campaign
    from outbox where sent_at is null and failed_at is null and kind = 'mail'`.execute(db);
  return rows[0] ?? { single: 0, campaign: 0, oldestS: 0 };
}
