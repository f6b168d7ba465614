import type { TransactionBadge, TransactionSort } from '@uprez/contracts/policy/billing/admin-payments';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../../keyset.ts';
import type { PaymentsTable } from '../../../tables/payment-tables.ts';
import { now, startOf } from '../../../times.ts';
import { hasFailed, wasPaymentTried } from '../payments.ts';
import {
  type AccountColumns,
  type AccountSearch,
  accountColumns,
  findIdColumn,
  isFormer,
  matchAccounts,
  ownerId,
} from './account-search.ts';
import { selectPaymentsBetween } from './revenue.ts';

/** `from`, `to`: the first and last day (UTC) on which the payment was received. */
export type TransactionFilter = AccountSearch & {
  status?: TransactionBadge | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
export type ListedTransaction = Selectable<PaymentsTable> &
  AccountColumns & {
    /** Whether the payment's customer was deleted at Stripe. */
    isFormer: boolean;
    invoiceNumber: string | null;
    /** Tax included in the amount, in cents. */
    tax: number;
    badge: TransactionBadge;
    /** Amount of the refunds that were requested here but haven't been stored by the sync yet, in cents. */
    requested: number;
    /** ID of the live subscription if the payment paid for its current period, and when it is billed again. */
    subscriptionId: string | null;
    renewsAt: Date | null;
  };

const orders = makeOrders({
  created: { column: 'payments.createdAt', type: 'time' },
  amount: { column: 'payments.amount', type: 'integer' },
});

const idColumn = 'payments.id';
const idColumns = { pi: idColumn, cus: 'payments.customerId', in: 'payments.invoiceId' };

/** After a failed attempt, the status is `requires_payment_method`, as before the first attempt. */
const conditions: Record<TransactionBadge, Expression<SqlBool>> = {
  succeeded: sql<SqlBool>`payments.status = 'succeeded'`,
  canceled: sql<SqlBool>`payments.status = 'canceled'`,
  pending: sql<SqlBool>`payments.status in ('processing', 'requires_capture')`,
  failed: sql<SqlBool>`(payments.status = 'requires_payment_method' and ${hasFailed})`,
  incomplete: sql<SqlBool>`(payments.status in ('requires_confirmation', 'requires_action')
    or (payments.status = 'requires_payment_method' and not ${hasFailed}))`,
};
export const badge = sql<TransactionBadge>`case
  when ${conditions.succeeded} then 'succeeded'
  when ${conditions.canceled} then 'canceled'
  when ${conditions.pending} then 'pending'
  when ${conditions.failed} then 'failed'
  else 'incomplete' end`;

const requestedRefund = sql<number>`(
  select coalesce(sum((call.request->>'amount')::integer), 0)::integer from billing_calls call
  where call.kind in ('refund', 'refund_and_cancel') and call.request->>'paymentId' = payments.id and call.state <> 'failed'
    and not exists (select from refunds where refunds.payment_id = payments.id and refunds.call_id = call.id::text))`;

/**
 * Tax in proportion to the payment's part of the invoice. Credit that pays the rest of an invoice also pays the rest of
 * the tax.
 */
const tax = sql<number>`coalesce(round(payments.amount * invoices.tax::numeric / nullif(invoices.total, 0)), 0)::integer`;

const renewsAt = sql<Date | null>`case
  when one.cancel_at is not null or one.cancels_at_period_end then null
  when one.is_paused then one.paused_until
  else one.period_end end`;

/** Invoice numbers end in a sequence number, such as `B3DA0D1C-0007`. */
const invoiceNumberPattern = /^[a-z0-9]+-\d{4,}$/i;

async function selectMatchingPayments(db: DbOrTx, { search, byName, status, from, to }: TransactionFilter) {
  let query = db.selectFrom('payments').where(wasPaymentTried);
  if (status) query = query.where(conditions[status]);
  if (from || to) {
    const [start, end] = [
      from ? startOf(from) : sql`'-infinity'::timestamptz`,
      to ? startOf(to, 1) : sql`'infinity'::timestamptz`,
    ];
    query = query.where(sql<SqlBool>`payments.id in (${selectPaymentsBetween(start, end)})`);
  }
  if (!search) return query;
  const column = findIdColumn(search, idColumns);
  if (column) return query.where(sql<SqlBool>`${sql.ref(column)} = ${search}`);
  if (/^re_\w+$/.test(search))
    return query.where(sql<SqlBool>`payments.id = (select payment_id from refunds where id = ${search})`);
  if (invoiceNumberPattern.test(search))
    return query.where(
      sql<SqlBool>`payments.invoice_id in (select id from invoices where number = ${search.toUpperCase()})`,
    );
  return query.where(await matchAccounts(db, 'payments.customerId', { search, byName }));
}

const withAccounts = (query: Awaited<ReturnType<typeof selectMatchingPayments>>) =>
  query
    .leftJoin('billingCustomers as customer', 'customer.stripeId', 'payments.customerId')
    .leftJoin('users', (join) => join.on('users.id', '=', ownerId))
    .leftJoin('invoices', 'invoices.id', 'payments.invoiceId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('subscriptions as one')
          .innerJoin('invoiceLines as line', 'line.priceId', 'one.priceId')
          .select(['one.id as subscriptionId', renewsAt.as('renewsAt')])
          .whereRef('one.id', '=', 'invoices.subscriptionId')
          .whereRef('line.invoiceId', '=', 'invoices.id')
          .where('one.status', 'in', ['active', 'past_due'])
          .where('line.amount', '>', 0)
          .where('line.periodStart', '<=', now)
          .where('line.periodEnd', '>', now)
          .limit(1)
          .as('current'),
      (join) => join.onTrue(),
    )
    .selectAll('payments')
    .select(accountColumns)
    .select(isFormer)
    .select(['invoices.number as invoiceNumber', badge.as('badge'), tax.as('tax'), requestedRefund.as('requested')])
    .select(['current.subscriptionId', 'current.renewsAt']);

export async function listTransactions(
  db: DbOrTx,
  { sort, after, limit, ...filter }: TransactionFilter & Page & { sort: TransactionSort },
): Promise<(ListedTransaction & { sortValue: number })[]> {
  return readKeysetPage(withAccounts(await selectMatchingPayments(db, filter)), {
    order: orders[sort],
    id: idColumn,
    after,
    limit,
  });
}

export const countTransactions = async (db: DbOrTx, filter: TransactionFilter): Promise<number> =>
  countRows(await selectMatchingPayments(db, filter));

export const findTransaction = (db: DbOrTx, paymentId: string): Promise<ListedTransaction | undefined> =>
  withAccounts(db.selectFrom('payments').where(idColumn, '=', paymentId)).executeTakeFirst();

/**
 * Locks a payment until the transaction ends, and returns it. Waits for other refunds of the payment that are in
 * progress.
 */
export async function lockTransaction(tx: Tx, paymentId: string): Promise<ListedTransaction | undefined> {
  await tx.selectFrom('payments').select('id').where('id', '=', paymentId).forUpdate().execute();
  return await findTransaction(tx, paymentId);
}

export type InvoicePurchase = {
  invoiceId: string;
  tier: Tier | null;
  interval: 'month' | 'year' | 'once';
  packUnits: number | null;
  packMeter: Meter | null;
};

/** Lists, for each invoice, the line with the largest amount. The other lines are credits for unused time on a plan. */
export async function listInvoicePurchases(db: DbOrTx, invoiceIds: readonly string[]): Promise<InvoicePurchase[]> {
  const { rows } = await sql<InvoicePurchase>`
    select distinct on (line.invoice_id) line.invoice_id, prices.tier, prices.interval, prices.pack_units, prices.pack_meter
    from invoice_lines line join prices on prices.id = line.price_id
    where line.invoice_id = any(${invoiceIds}::text[])
    order by line.invoice_id, line.amount desc, line.id`.execute(db);
  return rows;
}

/** Units granted for a plan's invoice or a pack's payment (`ref`), and how many of them were reversed. */
type PaymentUnits = { ref: string; meter: Meter; given: number; reversed: number };
type Payment = { id: string; accountId: string | null; invoiceId: string | null };

/**
 * Lists the units granted by the payments on a page. The conditions on `source` and `ref` match the partial indexes.
 */
export async function listPaymentUnits(db: DbOrTx, payments: readonly Payment[]): Promise<PaymentUnits[]> {
  const paid = payments.filter(({ accountId, invoiceId }) => accountId !== null && invoiceId !== null);
  const { rows } = await sql<PaymentUnits>`
    with paid as (
      select allowances.id, allowances.ref, allowances.meter, allowances.units
      from unnest(${paid.map(({ accountId }) => accountId)}::uuid[], ${paid.map(({ invoiceId }) => invoiceId)}::text[])
        as bill (account_id, invoice_id)
      join allowances on allowances.account_id = bill.account_id and allowances.ref = bill.invoice_id
        and allowances.source = 'plan'
      union
      select id, ref, meter, units from allowances
      where source = 'pack' and ref = any(${payments.map(({ id }) => id)}::text[])
    )
    select paid.ref, paid.meter, sum(paid.units)::integer as given, coalesce(sum(taken.units), 0)::integer as reversed
    from paid cross join lateral (
      select -sum(ledger.units) as units from ledger
      where ledger.allowance_id = paid.id and ledger.kind = 'reverse' and ledger.ref is not null
    ) taken
    group by paid.ref, paid.meter
    order by paid.meter`.execute(db);
  return rows;
}
