import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Money that went back to a customer: a refund that succeeded, or a dispute that was lost. Amounts are cents. */
export type ReturnedMoney = {
  /** Stripe's. */
  id: string;
  kind: 'refund' | 'dispute';
  /** The invoice that was paid with it, or the payment if there is no invoice. */
  ref: string;
  amount: number;
  /** All that was paid for `ref`. */
  paid: number;
  currency: string;
};

/** What of these invoices and payments was returned, the oldest first. */
export async function listReturnedMoney(db: DbOrTx, refs: readonly string[]): Promise<ReturnedMoney[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<ReturnedMoney>`
    select returned.id, returned.kind, coalesce(payment.invoice_id, payment.id) as ref, returned.amount,
      coalesce(invoice.paid, payment.received) as paid, payment.currency
    from payments payment
    left join invoices invoice on invoice.id = payment.invoice_id
    join (
      select id, 'refund' as kind, payment_id, amount, created_at from refunds where status = 'succeeded'
      union all
      select id, 'dispute', payment_id, amount, created_at from disputes where outcome = 'lost'
    ) returned on returned.payment_id = payment.id
    where payment.invoice_id = any(${refs}::text[])
      or (payment.invoice_id is null and payment.id = any(${refs}::text[]))
    order by returned.created_at, returned.id`.execute(db);
  return rows;
}
