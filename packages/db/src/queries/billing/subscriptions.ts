import type { Tier } from '@uprez/contracts/policy/plans';
import { type Insertable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { InvoiceLinesTable, InvoicesTable, SubscriptionsTable } from '../../tables/billing-tables.ts';
import { now } from '../../times.ts';

export type SubscriptionRow = Omit<Insertable<SubscriptionsTable>, 'fetchedAt' | 'ladderStep'>;
export type InvoiceRow = Omit<Insertable<InvoicesTable>, 'fetchedAt' | 'refunded'>;
export type InvoiceLineRow = Insertable<InvoiceLinesTable>;

/** Inserts or replaces subscriptions as Stripe describes them. */
export async function saveSubscriptions(tx: Tx, rows: readonly SubscriptionRow[]): Promise<void> {
  for (const { id, ...values } of rows)
    await tx
      .insertInto('subscriptions')
      .values({ id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, ladderStep: keptStep, fetchedAt: now }))
      .execute();
}

/** Another unpaid invoice starts at the first day again. */
const keptStep = sql<number | null>`case when excluded.past_due_invoice_id = subscriptions.past_due_invoice_id
  then subscriptions.ladder_step end`;

/** Inserts or replaces invoices with their lines. Lines of a draft may disappear. Keeps what was refunded: payments tell it. */
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

const over = ['incomplete', 'incomplete_expired', 'canceled'];

/** Whether the account with an email address has a subscription to a plan that was paid once and hasn't ended. */
export async function hasSubscriptionTo(db: DbOrTx, { email, tier }: { email: string; tier: Tier }): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .innerJoin('users', 'users.id', 'customer.accountId')
    .select('subscriptions.id')
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .where('subscriptions.tier', '=', tier)
    .where('status', 'not in', over)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account has a subscription that was paid once and hasn't ended. */
export async function hasSubscription(db: DbOrTx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .select('subscriptions.id')
    .where('customer.accountId', '=', accountId)
    .where('status', 'not in', over)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
