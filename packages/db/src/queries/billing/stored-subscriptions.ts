import { type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { SubscriptionsTable } from '../../tables/billing-tables.ts';
import { now } from '../../times.ts';

export type StoredSubscription = Selectable<SubscriptionsTable>;
/** What is stored for subscriptions that Stripe listed. */
export type StoredPage = {
  subscriptions: StoredSubscription[];
  /** Customers that are known, and whether they will be read anyway. */
  customers: { stripeId: string; isPending: boolean }[];
};

export const findStoredPage = async (
  db: DbOrTx,
  { ids, customerIds }: { ids: readonly string[]; customerIds: readonly string[] },
): Promise<StoredPage> => ({
  subscriptions: await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute(),
  customers: await db
    .selectFrom('billingCustomers')
    .select(['stripeId', sql<boolean>`wanted > mirrored`.as('isPending')])
    .where('stripeId', '=', sql<string>`any(${customerIds}::text[])`)
    .execute(),
});

/** Subscriptions that are live here, weren't read since `since`, and aren't among those that Stripe listed. */
export const listUnlisted = (db: DbOrTx, listed: readonly string[], since: Date) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'customerId'])
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .where('fetchedAt', '<', since)
    .where('id', '<>', sql<string>`all(${listed}::text[])`)
    .execute();

/** Marks customers to be read again, unless they are already. */
export const markCustomers = (db: DbOrTx, customerIds: readonly string[]) =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ wanted: eb('wanted', '+', 1), notBefore: now }))
    .where('stripeId', '=', sql<string>`any(${customerIds}::text[])`)
    .whereRef('wanted', '=', 'mirrored')
    .execute();

/** Marks customers with a bill that is still to be paid: subscriptions don't tell when it is. */
export const markUnpaidCustomers = (db: DbOrTx) =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ wanted: eb('wanted', '+', 1), notBefore: now }))
    .whereRef('wanted', '=', 'mirrored')
    .where('stripeId', 'in', (eb) =>
      eb.selectFrom('invoices').select('customerId').where('status', 'in', ['draft', 'open']),
    )
    .execute();

/** Stores a customer that an account has at Stripe, to be read. Returns false if there is no such account, or it has one. */
export async function adoptCustomer(db: DbOrTx, customer: { stripeId: string; accountId: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into billing_customers (stripe_id, account_id)
    select ${customer.stripeId}, id from users where id::text = ${customer.accountId}
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}
