import { type SubscriptionSort, subscriptionSorts } from '@uprez/contracts/policy/billing/admin-payments';
import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import {
  countSubscriptions,
  type ListedSubscription,
  listSubscriptions as listRows,
  type SubscriptionFilter,
} from '@uprez/db/queries/billing/admin/list-subscriptions';
import { toBadge } from '../../billing/own/read-billing.ts';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { toAccount } from './to-account.ts';

const makeTableSource = ({ db }: Needs<'db'>, filter: SubscriptionFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countSubscriptions(db, filter),
});

/** Returns a page of subscriptions. Throws `invalid_parameter`. */
export async function listSubscriptions(
  ctx: Needs<'db'>,
  { sort = subscriptionSorts[0], cursor, limit, ...filter }: SubscriptionFilter & TableQuery<SubscriptionSort>,
): Promise<TablePage<AdminSubscription>> {
  const page = await readPage({ list: 'subscriptions', sort, cursor, limit }, makeTableSource(ctx, filter));
  return { ...page, rows: page.rows.map(presentAdminSubscription) };
}

/** Streams the subscriptions that match a filter, page by page. Throws `export_too_large`. */
export async function exportSubscriptions(
  ctx: Needs<'db'>,
  { sort = subscriptionSorts[0], ...filter }: SubscriptionFilter & { sort?: SubscriptionSort | undefined },
): Promise<AsyncIterable<AdminSubscription[]>> {
  const pages = await readAll(sort, makeTableSource(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentAdminSubscription);
  })();
}

/**
 * Returns the customer's reason for canceling. Null once the customer has resumed the plan, because the reason then no
 * longer applies but is still stored.
 */
function presentCancellation(row: ListedSubscription): AdminSubscription['cancellation'] {
  const { cancelFeedback: feedback, cancelComment: comment, cancelAt, endedAt } = row;
  const isCanceled = cancelAt !== null || endedAt !== null;
  return isCanceled && (feedback || comment) ? { feedback, comment } : null;
}

export const presentAdminSubscription = (row: ListedSubscription): AdminSubscription => ({
  id: row.id,
  customerId: row.customerId,
  account: toAccount(row),
  tier: row.tier,
  interval: row.interval,
  amount: row.amount,
  currency: row.currency,
  badge: toBadge({ status: row.status, isProcessing: row.isPaying }),
  createdAt: row.createdAt.toISOString(),
  periodEnd: row.periodEnd.toISOString(),
  cancelAt: row.cancelAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  cancellation: presentCancellation(row),
  isPaused: row.isPaused,
  pausedUntil: row.pausedUntil?.toISOString() ?? null,
  unpaid: row.openInvoiceId === null ? null : { invoiceId: row.openInvoiceId, amount: row.openAmount ?? 0 },
});
