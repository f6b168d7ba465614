import { sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';
import { mailboxOf } from '../mails/mailbox-of.ts';

/** Counts the links that a mailbox got within so many seconds, under all its addresses, and lets others count later. */
export async function countMailboxLinks(tx: Tx, email: string, withinS: number): Promise<number> {
  const mailbox = mailboxOf(sql`${email}::text`);
  await sql`select pg_advisory_xact_lock(hashtextextended('mailbox:' || ${mailbox}, 0))`.execute(tx);
  const { n } = await tx
    .selectFrom('subscribers')
    .innerJoinLateral(sql<{ at: Date }>`unnest(asked_at)`.as<'asked'>(sql`asked(at)`), (join) => join.onTrue())
    .select(sql<number>`count(*)`.as('n'))
    .where(mailboxOf(sql.ref('email')), '=', mailbox)
    .where('asked.at', '>', afterSeconds(-withinS))
    .executeTakeFirstOrThrow();
  return n;
}
