import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { InvoiceLinesTable, InvoicesTable, SubscriptionsTable } from '../../tables/billing-tables.ts';
import { now } from '../../times.ts';

export type SubscriptionRow = Omit<Insertable<SubscriptionsTable>, 'fetchedAt' | 'ladderStep'>;
export type InvoiceRow = Omit<Insertable<InvoicesTable>, 'fetchedAt' | 'refunded'>;
export type InvoiceLineRow = Insertable<InvoiceLinesTable>;

/** Inserts or replaces subscriptions, as returned by Stripe. */
export async function saveSubscriptions(tx: Tx, rows: readonly SubscriptionRow[]): Promise<void> {
  for (const { id, ...values } of rows)
    await tx
      .insertInto('subscriptions')
      .values({ id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, ladderStep: keptStep, fetchedAt: now }))
      .execute();
}

/** Dunning step to keep. Null if another invoice is unpaid now, because dunning then restarts at the first day. */
const keptStep = sql<number | null>`case when excluded.past_due_invoice_id = subscriptions.past_due_invoice_id
  then subscriptions.ladder_step end`;

/**
 * Inserts or replaces invoices with their lines. Replaces all lines, because lines of a draft may disappear. Keeps
 * `refunded`, which is calculated from payments.
 */
export async function saveInvoices(
  tx: Tx,
  rows: readonly InvoiceRow[],
  lines: readonly InvoiceLineRow[],
): Promise<void> {
  for (const { id, ...values } of rows)
    await tx
      .insertInto('invoices')
      .values({ id, ...values, refunded: 0 })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, fetchedAt: now }))
      .execute();
  const ids = rows.map(({ id }) => id);
  await tx.deleteFrom('invoiceLines').where('invoiceId', '=', sql<string>`any(${ids}::text[])`).execute();
  if (lines.length > 0)
    await tx
      .insertInto('invoiceLines')
      .values([...lines])
      .execute();
}

const inactiveStatuses = ['incomplete', 'incomplete_expired', 'canceled'];

/**
 * Whether the account with an email address has a subscription to a plan that was paid at least once and hasn't ended.
 */
export async function hasSubscriptionTo(db: DbOrTx, { email, tier }: { email: string; tier: Tier }): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .innerJoin('users', 'users.id', 'customer.accountId')
    .select('subscriptions.id')
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .where('subscriptions.tier', '=', tier)
    .where('status', 'not in', inactiveStatuses)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account has a subscription that was paid at least once and hasn't ended. */
export async function hasSubscription(db: DbOrTx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .select('subscriptions.id')
    .where('customer.accountId', '=', accountId)
    .where('status', 'not in', inactiveStatuses)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type StoredSubscription = Selectable<SubscriptionsTable>;
type StoredPage = {
  subscriptions: StoredSubscription[];
  /** Known customers, and whether a sync is already pending. */
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

/** Lists subscriptions that haven't ended here, haven't been read since `since`, and weren't listed by Stripe. */
export const listMissingSubscriptions = (db: DbOrTx, listed: readonly string[], since: Date) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'customerId'])
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .where('fetchedAt', '<', since)
    .where('id', '<>', sql<string>`all(${listed}::text[])`)
    .execute();

/** Marks customers to be synced again, unless they're already marked. */
export const requestCustomerSyncs = (db: DbOrTx, customerIds: readonly string[]) =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ wanted: eb('wanted', '+', 1), notBefore: now }))
    .where('stripeId', '=', sql<string>`any(${customerIds}::text[])`)
    .whereRef('wanted', '=', 'mirrored')
    .execute();

/** Marks customers with an unpaid invoice to be synced again, because subscriptions don't show when it's paid. */
export const requestUnpaidCustomerSyncs = (db: DbOrTx) =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ wanted: eb('wanted', '+', 1), notBefore: now }))
    .whereRef('wanted', '=', 'mirrored')
    .where('stripeId', 'in', (eb) =>
      eb.selectFrom('invoices').select('customerId').where('status', 'in', ['draft', 'open']),
    )
    .execute();

/**
 * Stores a customer that an account already has at Stripe, to be synced. Returns false if the account doesn't exist or
 * already has a customer.
 */
export async function linkCustomer(db: DbOrTx, customer: { stripeId: string; accountId: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into billing_customers (stripe_id, account_id)
    select ${customer.stripeId}, id from users where id::text = ${customer.accountId}
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}
