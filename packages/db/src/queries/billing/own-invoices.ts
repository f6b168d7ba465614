import { sql } from 'kysely';
import type { Db, DbOrTx } from '../../database.ts';
import { isOfBegun } from './tried-payments.ts';

/** The largest line says what an invoice is for. */
const selectOwn = (db: DbOrTx, accountId: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'invoices.customerId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invoiceLines')
          .leftJoin('prices', 'prices.id', 'invoiceLines.priceId')
          .select([
            'invoiceLines.description',
            'prices.tier',
            'prices.interval',
            'prices.packUnits',
            'prices.packMeter',
          ])
          .whereRef('invoiceLines.invoiceId', '=', 'invoices.id')
          .orderBy('invoiceLines.amount', 'desc')
          .limit(1)
          .as('line'),
      (join) => join.onTrue(),
    )
    .selectAll('invoices')
    .select(['line.description as lineDescription', 'line.tier', 'line.interval', 'line.packUnits', 'line.packMeter'])
    .where((eb) => eb.or([eb('customer.accountId', '=', accountId), eb('customer.formerAccountId', '=', accountId)]))
    .where(isOfBegun)
    .orderBy('invoices.createdAt', 'desc')
    .orderBy('invoices.id', 'desc');

export type OwnInvoice = Awaited<ReturnType<typeof listOwnInvoices>>[number];
type Page = { accountId: string; before?: string | undefined; limit?: number | undefined };

/** An account's invoices, newest first. `before`: the ID of the last invoice of the page before. Without a limit: all. */
export function listOwnInvoices(db: Db, { accountId, before, limit }: Page) {
  let query = selectOwn(db, accountId);
  if (before)
    query = query.where(
      sql<boolean>`(invoices.created_at, invoices.id) < (select created_at, id from invoices where id = ${before})`,
    );
  return (limit ? query.limit(limit) : query).execute();
}

/** Whether an invoice is the account's. */
export const isOwnInvoice = async (db: Db, { accountId, id }: { accountId: string; id: string }): Promise<boolean> =>
  (await selectOwn(db, accountId).where('invoices.id', '=', id).executeTakeFirst()) !== undefined;
