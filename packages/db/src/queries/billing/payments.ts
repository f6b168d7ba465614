import { type Insertable, type SqlBool, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { DisputesTable, PaymentsTable, RefundsTable } from '../../tables/payment-tables.ts';
import { now } from '../../times.ts';

type PaymentRow = Omit<Insertable<PaymentsTable>, 'fetchedAt' | 'lost'>;
type RefundRow = Omit<Insertable<RefundsTable>, 'fetchedAt'>;
export type DisputeRow = Omit<Insertable<DisputesTable>, 'fetchedAt' | 'lostAt'>;
export type PaymentRows = { payments: PaymentRow[]; refunds: RefundRow[]; disputes: DisputeRow[] };

/** Inserts or replaces payments with their refunds and disputes, as returned by Stripe. */
export async function savePayments(tx: Tx, { payments, refunds, disputes }: PaymentRows): Promise<void> {
  for (const { id, ...values } of payments)
    await tx
      .insertInto('payments')
      .values({ id, ...values })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          ...values,
          // Recalculated by `updateReturnedAmounts`.
          lost: 0,
          // Keeps the stored invoice ID, because the invoice may be older than the invoices that were read.
          invoiceId: eb.fn.coalesce('excluded.invoiceId', 'payments.invoiceId'),
          fetchedAt: now,
        })),
      )
      .execute();
  for (const { id, ...values } of refunds)
    await tx
      .insertInto('refunds')
      .values({ id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, fetchedAt: now }))
      .execute();
  for (const { id, ...values } of disputes)
    await tx
      .insertInto('disputes')
      .values({ id, ...values, lostAt: values.outcome === 'lost' ? now : null })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          ...values,
          lostAt: eb.fn.coalesce('disputes.lostAt', 'excluded.lostAt'),
          fetchedAt: now,
        })),
      )
      .execute();
  await updateReturnedAmounts(
    tx,
    payments.map(({ id }) => id),
  );
}

/** Limits the returned amount to the amount paid, because a payment may exceed its invoice. */
async function updateReturnedAmounts(tx: Tx, paymentIds: readonly string[]): Promise<void> {
  await sql`
    update payments set lost = least(payments.amount - refunded, disputed.cents)
    from (select payment_id, sum(amount)::integer as cents from disputes
      where outcome = 'lost' and payment_id = any(${paymentIds}::text[]) group by payment_id) disputed
    where payments.id = disputed.payment_id`.execute(tx);
  await sql`
    update invoices set refunded = least(invoices.paid, returned.cents)
    from (select invoice_id, sum(refunded + lost)::integer as cents from payments
      where invoice_id in (select invoice_id from payments where id = any(${paymentIds}::text[]))
      group by invoice_id) returned
    where invoices.id = returned.invoice_id`.execute(tx);
}

type DisputeFact = { paymentId: string; isClosed: boolean };

/** Lists a customer's disputes, least recently read first. */
export async function listDisputeFacts(db: DbOrTx, customerId: string): Promise<DisputeFact[]> {
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.paymentId')
    .select(['disputes.paymentId', 'disputes.outcome'])
    .where('payments.customerId', '=', customerId)
    .orderBy('disputes.fetchedAt')
    .execute();
  return rows.map(({ paymentId, outcome }) => ({ paymentId, isClosed: outcome !== 'open' }));
}

/** Money returned to a customer: a refund that succeeded, or a dispute that was lost. Amounts are in cents. */
export type ReturnedMoney = {
  /** Stripe's ID of the refund or dispute. */
  id: string;
  kind: 'refund' | 'dispute';
  /** ID of the plan's invoice, or of the pack's payment. */
  ref: string;
  amount: number;
  /** Total amount paid for `ref`. */
  paid: number;
  currency: string;
};

/** Lists the money returned for these invoices and payments, oldest first. */
export async function listReturnedMoney(db: DbOrTx, refs: readonly string[]): Promise<ReturnedMoney[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<ReturnedMoney>`
    select returned.id, returned.kind, coalesce(invoice.id, payment.id) as ref, returned.amount,
      coalesce(invoice.paid, payment.received) as paid, payment.currency
    from payments payment
    left join invoices invoice on invoice.id = payment.invoice_id and invoice.subscription_id is not null
    join (
      select id, 'refund' as kind, payment_id, amount, created_at from refunds where status = 'succeeded'
      union all
      select id, 'dispute', payment_id, amount, created_at from disputes where outcome = 'lost'
    ) returned on returned.payment_id = payment.id
    where payment.invoice_id = any(${refs}::text[]) or payment.id = any(${refs}::text[])
    order by returned.created_at, returned.id`.execute(db);
  return rows;
}

export const hasFailed = sql<SqlBool>`(payments.failure_code is not null or payments.failure_message is not null)`;

/**
 * Whether a payment was attempted. A checkout that was only opened also leaves a payment, which has no attempt and
 * expires.
 */
export const wasPaymentTried = sql<SqlBool>`(payments.status not in ('requires_payment_method', 'canceled') or payments.received > 0
  or payments.method is not null or ${hasFailed})`;

/**
 * Whether a subscription isn't from a checkout that was only opened. Such a checkout leaves an incomplete subscription
 * until it expires. `table`: name or alias of `subscriptions` in the query.
 */
export const wasSubscriptionBegun = (table: string) => sql<SqlBool>`(
  ${sql.ref(`${table}.status`)} not in ('incomplete', 'incomplete_expired')
  or exists (select from payments where payments.invoice_id = ${sql.ref(`${table}.latestInvoiceId`)} and ${wasPaymentTried}))`;

/** Whether an invoice isn't from a checkout that was only opened. */
export const isOfBegunSubscription = sql<SqlBool>`not exists (select from subscriptions plan
  where plan.id = invoices.subscription_id and not ${wasSubscriptionBegun('plan')})`;
