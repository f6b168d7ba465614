import type { Meter } from '@uprez/contracts/policy/meters';
import { sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';

/** Units that an account got for an invoice of a plan or for the payment of a pack (`ref`), and those that were taken back. */
type PaymentUnits = { ref: string; meter: Meter; given: number; reversed: number };
type Payment = { id: string; accountId: string | null; invoiceId: string | null };

/** The units of the payments of a page. The conditions on `source` and `ref` are those of the indexes. */
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
