import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Money that went back to a customer: a refund that succeeded, or a dispute that was lost. Amounts are cents. */
export type ReturnedMoney = {
  /** Stripe's. */
  id: string;
  kind: 'refund' | 'dispute';
  /** The invoice of the plan that was paid with it, or the payment of a pack. */
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
