import type { Tier } from '@uprez/contracts/policy/plans';
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

/**
 * Whether an account may have the plan that isn't on sale to everybody: a link was sent to its email address, which its owner
 * has confirmed, or it is subscribed to the plan.
 */
export async function isPlanOffered(
  db: DbOrTx,
  { accountId, tier }: { accountId: string; tier: Tier },
): Promise<boolean> {
  const { rows } = await sql<{ isOffered: boolean }>`
    select exists (
      select from users join leads on lower(leads.email) = lower(users.email)
      where users.id = ${accountId} and users.email_verified and leads.link_sent_at is not null
    ) or exists (
      select from billing_customers customer join subscriptions on subscriptions.customer_id = customer.stripe_id
      where customer.account_id = ${accountId} and subscriptions.tier = ${tier}
        and subscriptions.status in ('active', 'past_due')
    ) as "isOffered"`.execute(db);
  return rows[0]?.isOffered ?? false;
}
