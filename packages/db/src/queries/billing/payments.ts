import { type Insertable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { DisputesTable, PaymentsTable, RefundsTable } from '../../tables/payment-tables.ts';
import { now } from '../../times.ts';

export type PaymentRow = Omit<Insertable<PaymentsTable>, 'fetchedAt' | 'lost'>;
export type RefundRow = Omit<Insertable<RefundsTable>, 'fetchedAt'>;
export type DisputeRow = Omit<Insertable<DisputesTable>, 'fetchedAt' | 'lostAt'>;
export type PaymentRows = { payments: PaymentRow[]; refunds: RefundRow[]; disputes: DisputeRow[] };

/** Inserts or replaces payments with their refunds and disputes, as Stripe describes them. */
export async function savePayments(tx: Tx, { payments, refunds, disputes }: PaymentRows): Promise<void> {
  for (const { id, ...values } of payments)
    await tx
      .insertInto('payments')
      .values({ id, ...values })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          ...values,
          // Set again below.
          lost: 0,
          // The invoice may be older than those that were read.
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
  await setReturned(
    tx,
    payments.map(({ id }) => id),
  );
}

/** Adds up what lost disputes took back, and what of each invoice was returned. A payment may exceed its invoice. */
async function setReturned(tx: Tx, paymentIds: readonly string[]): Promise<void> {
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

/** A payment of a customer that has a dispute. */
export type DisputeFact = { paymentId: string; isClosed: boolean };

/** The disputes of a customer, those first that were read longest ago. */
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
