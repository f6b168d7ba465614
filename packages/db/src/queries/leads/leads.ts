import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { LeadsTable } from '../../tables/coupon-tables.ts';
import { now } from '../../times.ts';

export type LeadRow = Selectable<LeadsTable>;

export const insertLead = (db: DbOrTx, row: Insertable<LeadsTable>): Promise<LeadRow> =>
  db.insertInto('leads').values(row).returningAll().executeTakeFirstOrThrow();

export const lockLead = (tx: Tx, id: string): Promise<LeadRow | undefined> =>
  tx.selectFrom('leads').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** The latest lead with an email address, ignoring case. */
export const lockLeadOf = (tx: Tx, email: string): Promise<LeadRow | undefined> =>
  tx
    .selectFrom('leads')
    .selectAll()
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

type Link = { id: string; interval: 'month' | 'year'; sentBy: string };

/** Stores that a link was sent. Returns undefined if the last one was sent less than `pauseS` seconds ago. */
export const recordLink = (
  tx: Tx,
  { id, interval: linkInterval, sentBy: linkSentBy }: Link,
  pauseS: number,
): Promise<LeadRow | undefined> =>
  tx
    .updateTable('leads')
    .set({ linkInterval, linkSentBy, linkSentAt: now })
    .where('id', '=', id)
    .where(sql<boolean>`link_sent_at is null or link_sent_at <= now() - ${pauseS} * interval '1 second'`)
    .returningAll()
    .executeTakeFirst();

/** Whether a link was sent to the email address of an account, which its owner has confirmed. */
export async function hasLink(db: DbOrTx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('leads', (join) => join.on(sql<boolean>`lower(leads.email) = lower(users.email)`))
    .select('leads.id')
    .where('users.id', '=', accountId)
    .where('users.emailVerified', '=', true)
    .where('leads.linkSentAt', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
