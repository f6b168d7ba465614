import type { MailName } from '@uprez/contracts/schemas/mails';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';

const mailName = sql<MailName>`payload ->> 'mail'`;

/** How many mails of a name were queued about a user within the last `shortS` and the last `longS`, sent or not. */
export async function countQueuedMails(
  db: DbOrTx,
  { userId, mail, shortS, longS }: { userId: string; mail: MailName; shortS: number; longS: number },
): Promise<{ short: number; long: number }> {
  return await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      sql<number>`(count(*) filter (where created_at > ${afterSeconds(-shortS)}))::integer`.as('short'),
      sql<number>`${fn.countAll()}::integer`.as('long'),
    ])
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(mailName, '=', mail)
    .where('createdAt', '>', afterSeconds(-longS))
    .executeTakeFirstOrThrow();
}

/** Take mails of these names about a user back that have not left yet. */
export const deleteWaitingMails = (db: DbOrTx, userId: string, mails: readonly MailName[]) =>
  db
    .deleteFrom('outbox')
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(mailName, 'in', mails)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .execute();
