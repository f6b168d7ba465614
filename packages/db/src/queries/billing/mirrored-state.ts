import type { Selectable } from 'kysely';
import type { Tx } from '../../database.ts';
import type { InvoicesTable, SubscriptionsTable } from '../../tables/billing-tables.ts';
import type { PaymentsTable, RefundsTable } from '../../tables/payment-tables.ts';

/** What is stored about a customer, as far as emails tell of it. */
export type MirroredState = {
  subscriptions: Selectable<SubscriptionsTable>[];
  invoices: Pick<
    Selectable<InvoicesTable>,
    'id' | 'subscriptionId' | 'status' | 'reason' | 'attempts' | 'paid' | 'tax' | 'total' | 'currency'
  >[];
  /** That succeeded. `paid`: the whole payment. */
  refunds: (Pick<Selectable<RefundsTable>, 'id' | 'amount' | 'currency'> & { paid: PaymentsTable['received'] })[];
};

export async function readMirroredState(tx: Tx, customerId: string): Promise<MirroredState> {
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
      .select(['refunds.id', 'refunds.amount', 'refunds.currency', 'payments.received as paid'])
      .where('payments.customerId', '=', customerId)
      .where('refunds.status', '=', 'succeeded')
      .orderBy('refunds.createdAt')
      .execute(),
  };
}
