import { subscriptionSorts } from '@uprez/contracts/policy/billing/admin-payments';
import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import {
  countSubscriptions,
  type ListedSubscription,
  listSubscriptions as listRows,
} from '@uprez/db/queries/billing/admin/list-subscriptions';
import { toBadge } from '../../billing/own/read-billing.ts';
import { defineTable } from '../../read-table.ts';
import { toAccount } from './to-account.ts';

const subscriptions = defineTable({
  name: 'subscriptions',
  sorts: subscriptionSorts,
  list: listRows,
  count: countSubscriptions,
  present: (rows) => rows.map(presentAdminSubscription),
});

/** Returns a page of subscriptions. Throws `invalid_parameter`. */
export const listSubscriptions = subscriptions.page;

/** Streams the subscriptions that match a filter, page by page. Throws `export_too_large`. */
export const exportSubscriptions = subscriptions.export;

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
