import type { TransactionBadge } from '@uprez/contracts/policy/admin-payments';
import type { SubscriptionBadge } from '@uprez/contracts/policy/billing';
import { productName } from '../../messages.ts';

export type AdminStatus = SubscriptionBadge | TransactionBadge | 'done' | 'ignored';

export const adminMessages = {
  title: (page: string) => `${page} - ${productName} admin`,
  heading: 'Admin Panel',
  denied: {
    title: 'Access Denied',
    text: 'You need admin privileges to access this page.',
    home: 'Go to the home page',
  },
  groups: { payments: 'Payments' },
  links: { subscriptions: 'Subscriptions', transactions: 'Transactions', inbox: 'Webhook inbox' },
  table: {
    search: 'Search by name, email, or ID',
    status: 'Status',
    all: 'All statuses',
    /** Badges, and states of events. */
    statuses: {
      active: 'Active',
      pending: 'Pending',
      incomplete: 'Incomplete',
      past_due: 'Past due',
      canceled: 'Canceled',
      succeeded: 'Succeeded',
      failed: 'Failed',
      done: 'Done',
      ignored: 'Ignored',
    } satisfies Record<AdminStatus, string>,
    export: 'Export CSV',
    shown: (shown: string, total: string) => `${shown} of ${total}`,
    sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
    actionsColumn: 'Actions',
    actions: (row: string) => `Actions for ${row}`,
    noMatch: { title: 'No matches', text: 'Try another search or status.' },
    clear: 'Clear filters',
    noAccount: 'Deleted account',
  },
} as const;
