import { transactionSorts } from '@uprez/contracts/policy/billing/admin-payments';
import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { describePlan } from '@uprez/contracts/texts/plans';
import {
  countTransactions,
  type InvoicePurchase,
  type ListedTransaction,
  listInvoicePurchases,
  listPaymentUnits,
  listTransactions as listRows,
} from '@uprez/db/queries/billing/admin/list-transactions';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';
import { toAccount } from './to-account.ts';

const transactions = defineTable({
  name: 'transactions',
  sorts: transactionSorts,
  list: listRows,
  count: countTransactions,
  present: (rows, ctx) => presentTransactions(ctx, rows),
});

/** Returns a page of payments. Throws `invalid_parameter`. */
export const listTransactions = transactions.page;

/** Streams the payments that match a filter, page by page. Throws `export_too_large`. */
export const exportTransactions = transactions.export;

/**
 * Returns how much of a payment can still be refunded here, in cents. 0 if the account or customer was deleted, because
 * such a payment must be refunded at Stripe.
 */
export function calculateRefundableAmount(payment: ListedTransaction): number {
  const { accountId, isFormer, received, refunded, requested, lost } = payment;
  return accountId === null || isFormer ? 0 : Math.max(0, received - refunded - requested - lost);
}

/** Maps payments for administrators. Adds what each payment bought and the units that it granted. */
export async function presentTransactions(
  { db }: Needs<'db'>,
  rows: readonly ListedTransaction[],
): Promise<AdminTransaction[]> {
  const units = new Map<string, AdminTransaction['units']>();
  for (const { ref, ...counted } of await listPaymentUnits(db, rows))
    units.set(ref, [...(units.get(ref) ?? []), counted]);
  const bought = new Map(
    (
      await listInvoicePurchases(
        db,
        rows.flatMap(({ invoiceId }) => invoiceId ?? []),
      )
    ).map((one) => [one.invoiceId, one]),
  );
  return rows.map((row) =>
    presentTransaction(row, {
      units: units.get(row.id) ?? units.get(row.invoiceId ?? '') ?? [],
      bought: bought.get(row.invoiceId ?? ''),
    }),
  );
}

function describePurchase({ tier, interval, packUnits, packMeter }: InvoicePurchase): string | null {
  if (tier !== null && interval !== 'once') return describePlan(tier, interval);
  return packUnits === null || packMeter === null ? null : `Pack of ${countImages(packUnits, packMeter)}`;
}

type TransactionDetails = { units: AdminTransaction['units']; bought: InvoicePurchase | undefined };

const presentTransaction = (row: ListedTransaction, { units, bought }: TransactionDetails): AdminTransaction => ({
  id: row.id,
  customerId: row.customerId,
  account: toAccount(row),
  subscription:
    row.subscriptionId === null ? null : { id: row.subscriptionId, renewsAt: row.renewsAt?.toISOString() ?? null },
  description: bought ? describePurchase(bought) : null,
  invoice: row.invoiceId === null ? null : { id: row.invoiceId, number: row.invoiceNumber },
  amount: row.amount,
  tax: row.tax,
  refunded: row.refunded + row.requested,
  refundable: calculateRefundableAmount(row),
  currency: row.currency,
  badge: row.badge,
  method: row.method,
  card: row.cardBrand === null || row.cardLast4 === null ? null : { brand: row.cardBrand, last4: row.cardLast4 },
  failure: row.badge === 'failed' ? (row.failureMessage ?? row.failureCode) : null,
  isDisputed: row.isDisputed,
  units,
  createdAt: row.createdAt.toISOString(),
});
