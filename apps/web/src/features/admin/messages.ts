import type { TransactionBadge } from '@uprez/contracts/policy/admin-payments';
import type { SubscriptionBadge } from '@uprez/contracts/policy/billing';
import type { CouponState, RedemptionState } from '@uprez/contracts/policy/coupons';
import type { LeadState } from '@uprez/contracts/policy/leads';
import { productName } from '../../messages.ts';

export type AdminStatus =
  | SubscriptionBadge
  | TransactionBadge
  | CouponState
  | RedemptionState
  | LeadState
  | 'done'
  | 'ignored';

export const adminMessages = {
  title: (page: string) => `${page} - ${productName} admin`,
  heading: 'Admin Panel',
  denied: {
    title: 'Access Denied',
    text: 'You need admin privileges to access this page.',
    home: 'Go to the home page',
  },
  groups: { payments: 'Payments' },
  links: {
    subscriptions: 'Subscriptions',
    transactions: 'Transactions',
    coupons: 'Coupons',
    leads: 'Enterprise leads',
    prices: 'Prices',
    inbox: 'Webhook inbox',
  },
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
      disabled: 'Disabled',
      expired: 'Expired',
      used_up: 'Used up',
      reserved: 'Reserved',
      redeemed: 'Redeemed',
      released: 'Released',
      open: 'Open',
      sent: 'Link sent',
    } satisfies Record<AdminStatus, string>,
    export: 'Export CSV',
    shown: (shown: string, total: string) => `${shown} of ${total}`,
    sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
    actionsColumn: 'Actions',
    actions: (row: string) => `Actions for ${row}`,
    noMatch: { title: 'No matches', text: 'Try another search or status.' },
    clear: 'Clear filters',
    noAccount: 'Deleted account',
    override: (plan: string, until: string | null) =>
      `${plan} set by an administrator${until === null ? '' : ` until ${until}`}`,
  },
} as const;
