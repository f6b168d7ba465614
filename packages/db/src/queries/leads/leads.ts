import type { LeadSort, LeadState } from '@uprez/contracts/policy/billing/admin-payments';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { LeadsTable } from '../../tables/coupon-tables.ts';
import { now } from '../../times.ts';

export type LeadRow = Selectable<LeadsTable>;

export const insertLead = (db: DbOrTx, row: Insertable<LeadsTable>): Promise<LeadRow> =>
  db.insertInto('leads').values(row).returningAll().executeTakeFirstOrThrow();

export const lockLead = (tx: Tx, id: string): Promise<LeadRow | undefined> =>
  tx.selectFrom('leads').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Locks the latest lead with an email address, ignoring case. */
export const lockLeadByEmail = (tx: Tx, email: string): Promise<LeadRow | undefined> =>
  tx
    .selectFrom('leads')
    .selectAll()
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

type SentLink = { id: string; interval: 'month' | 'year'; sentBy: string };

/**
 * Records that a checkout link was sent to a lead. Returns undefined if the last link was sent less than `pauseS`
 * seconds ago.
 */
export const recordLink = (
  tx: Tx,
  { id, interval: linkInterval, sentBy: linkSentBy }: SentLink,
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
 * Whether an account may have the invite-only plan: a link was sent to its confirmed email address, or the account is
 * subscribed to the plan.
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

export type LeadFilter = { search?: string | undefined; status?: LeadState | undefined };

const orders = makeOrders({ created: { column: 'createdAt', type: 'time' } });

/** The search expression must equal the expression of the index `leads_text`. */
function selectMatchingLeads(db: DbOrTx, { search, status }: LeadFilter) {
  let query = db.selectFrom('leads');
  if (status) query = query.where('linkSentAt', status === 'sent' ? 'is not' : 'is', null);
  if (!search) return query;
  return query.where(
    sql<SqlBool>`lower(name || ' ' || email || ' ' || company) like lower(${containsPattern(search)})`,
  );
}

export function listLeads(
  db: DbOrTx,
  { sort, after, limit, ...filter }: LeadFilter & Page & { sort: LeadSort },
): Promise<(LeadRow & { sortValue: number })[]> {
  return readKeysetPage(selectMatchingLeads(db, filter).selectAll(), { order: orders[sort], id: 'id', after, limit });
}

export const countLeads = (db: DbOrTx, filter: LeadFilter): Promise<number> =>
  countRows(selectMatchingLeads(db, filter));
