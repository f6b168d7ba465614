import type { Meter } from '@uprez/contracts/policy/plans/meters';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import type { InvoicesTable, SubscriptionsTable } from '../../tables/billing-tables.ts';
import type { PaymentsTable, RefundsTable } from '../../tables/payment-tables.ts';

/** The stored state of a customer, limited to what emails report. */
export type SyncedState = {
  subscriptions: Selectable<SubscriptionsTable>[];
  invoices: Pick<
    Selectable<InvoicesTable>,
    'id' | 'subscriptionId' | 'status' | 'reason' | 'attempts' | 'paid' | 'tax' | 'total' | 'currency'
  >[];
  /**
   * Refunds that succeeded. `paid`: total amount of the payment. `removed`: units that have been taken back for the
   * refund so far.
   */
  refunds: (Pick<Selectable<RefundsTable>, 'id' | 'amount' | 'currency'> & {
    paid: PaymentsTable['received'];
    removed: { units: number; meter: Meter }[];
  })[];
};

const removedUnits = sql<{ units: number; meter: Meter }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('units', taken.units, 'meter', taken.meter) order by taken.meter), '[]')
  from (select ledger.meter, -sum(ledger.units)::integer as units from allowances
    join ledger on ledger.allowance_id = allowances.id and ledger.kind = 'reverse' and ledger.ref = refunds.id
    where allowances.account_id = coalesce(customer.account_id, customer.former_account_id)
      and allowances.ref in (payments.invoice_id, payments.id)
    group by ledger.meter having sum(ledger.units) < 0) taken)`;

export async function readSyncedState(tx: Tx, customerId: string): Promise<SyncedState> {
  return {
    subscriptions: await tx
      .selectFrom('subscriptions')
      .selectAll()
      .where('customerId', '=', customerId)
      .orderBy('createdAt')
      .execute(),
    invoices: await tx
      .selectFrom('invoices')
      .select(['id', 'subscriptionId', 'status', 'reason', 'attempts', 'paid', 'tax', 'total', 'currency'])
      .where('customerId', '=', customerId)
      .execute(),
    refunds: await tx
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.paymentId')
      .innerJoin('billingCustomers as customer', 'customer.stripeId', 'payments.customerId')
      .select([
        'refunds.id',
        'refunds.amount',
        'refunds.currency',
        'payments.received as paid',
        removedUnits.as('removed'),
      ])
      .where('payments.customerId', '=', customerId)
      .where('refunds.status', '=', 'succeeded')
      .orderBy('refunds.createdAt')
      .execute(),
  };
}
