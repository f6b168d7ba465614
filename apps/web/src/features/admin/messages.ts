import type { AuditOutcome } from '@uprez/contracts/policy/admin/logs';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { ExportFormat, JobSurface, JobView, UserStatus } from '@uprez/contracts/policy/admin/tables';
import type { LeadState, TransactionBadge } from '@uprez/contracts/policy/billing/admin-payments';
import type { SubscriptionBadge, SubscriptionState } from '@uprez/contracts/policy/billing/billing';
import type { CouponState, RedemptionState } from '@uprez/contracts/policy/billing/coupons';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { formatCount } from '@uprez/contracts/texts/format';
import { documentTitle } from '../../messages.ts';

export type AdminStatus =
  | SubscriptionBadge
  | TransactionBadge
  | CouponState
  | RedemptionState
  | LeadState
  | 'done'
  | 'ignored';

export const adminMessages = {
  title: (page: string) => documentTitle(`${page} - Admin`),
  heading: 'Admin Panel',
  denied: {
    title: 'Access Denied',
    text: 'You need admin privileges to access this page.',
    home: 'Go to the home page',
    missing: (role: string) => `Your role, ${role}, doesn't include this page. Ask an owner for access.`,
    dashboard: 'Go to the dashboard',
  },
  /** Toasts for people who aren't allowed to see the dashboard. */
  leaving: {
    visitor: { title: 'Unauthorized', description: 'Please log in to access the admin dashboard.' },
    denied: { title: 'Access Denied', description: "You don't have admin privileges." },
    ended: { title: 'Unauthorized', description: 'Session expired. Redirecting to login...' },
  },
  roles: {
    owner: 'Owner',
    admin: 'Admin',
    editor: 'Editor',
    support: 'Support',
    viewer: 'Viewer',
  } satisfies Record<Role, string>,
  signedInAs: (role: string) => `Your role: ${role}`,
  changedBy: (by: string, at: string) => `${by} changed this user on ${at}. Check the current values, then try again.`,
  notices: {
    maintenanceMode: 'Maintenance mode is on. Visitors and users see a maintenance page.',
    settings: 'Change it in General Settings',
    starts: (at: string) => `Maintenance is scheduled for ${at}:`,
    goesOn: (until: string | null) => `Maintenance is in progress${until === null ? '' : ` until ${until}`}:`,
  },
  twoFactor: {
    title: 'Two-factor authentication required',
    text: 'Administrators must use two-factor authentication. Set it up in your account, then come back.',
    action: 'Set up two-factor authentication',
  },
  /** Labels of search results that aren't pages. */
  found: {
    user: (name: string, email: string) => `User: ${[name, email].filter(Boolean).join(', ')}`,
    payment: (number: string, amount: string, email: string | null) =>
      `Payment: ${[number, amount, email].filter(Boolean).join(', ')}`,
    job: (filename: string, status: string) => `Job: ${filename}, ${status.toLowerCase()}`,
    post: (title: string) => `Post: ${title || 'Untitled'}`,
  },
  findPage: 'Find a page',
  quickActions: {
    title: 'Quick Actions',
    newPost: 'New Post',
    addUser: 'Add User',
    viewSite: 'View Site',
    newTab: '(opens in a new tab)',
  },
  entries: {
    dashboard: 'Dashboard',
    posts: 'Posts',
    media: 'Media',
    users: 'Users',
    analytics: 'Analytics',
    payments: 'Payments',
    security: 'Security',
    website: 'Website',
    settings: 'Settings',
    inbox: 'Inbox',
    content: 'Content',
    operations: 'Operations',
  },
  links: {
    allPosts: 'All Posts',
    newPost: 'Add New',
    categories: 'Categories',
    library: 'Library',
    uploadNew: 'Upload New',
    allUsers: 'All Users',
    newUser: 'Add New',
    profile: 'Profile',
    overview: 'Overview',
    reports: 'Reports',
    usage: 'Usage Stats',
    subscriptions: 'Subscriptions',
    transactions: 'Transactions',
    coupons: 'Coupons',
    leads: 'Enterprise leads',
    prices: 'Prices',
    inbox: 'Webhook inbox',
    incidents: 'Incidents',
    probes: 'Probe log',
    pages: 'Pages',
    help: 'Help',
    campaigns: 'Newsletter',
    subscribers: 'Subscribers',
    jobs: 'Jobs',
    audit: 'Audit',
    apiKeys: 'API Keys',
    accessLog: 'Access Logs',
    permissions: 'Permissions',
    securitySettings: 'Security Settings',
    generalSettings: 'General Settings',
    seoSettings: 'SEO Settings',
    emailSettings: 'Email Settings',
  },
  table: {
    search: 'Search by name, email, or ID',
    /** Labels for filters, by query parameter. */
    filters: {
      status: { label: 'Status', all: 'All statuses' },
      tier: { label: 'Plan', all: 'All plans' },
      group: { label: 'Action', all: 'All actions' },
      outcome: { label: 'Outcome', all: 'All outcomes' },
      kind: { label: 'Event', all: 'All events' },
      role: { label: 'Role', all: 'All roles' },
      view: { label: 'View', all: 'All jobs' },
      engine: { label: 'Engine', all: 'All engines' },
      surface: {
        label: 'Surface',
        all: 'Web and API',
        names: { web: 'Web', api: 'API' } satisfies Record<JobSurface, string>,
      },
    },
    jobViews: {
      stuck: 'Stuck',
      dead: 'Dead letters',
      dead_today: 'Dead letters (24 hours)',
      finished_today: 'Finished (24 hours)',
      just_started: 'Started (last minute)',
      sandbox: 'Sandbox',
      ended: 'Ended images',
      delivered: 'Delivered images',
    } satisfies Record<JobView, string>,
    visitors: 'Visitors',
    statuses: {
      live: 'Active or past due',
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
      suspended: 'Suspended',
      verified: 'Verified',
      unverified: 'Unverified',
      admin: 'Administrators',
      webhooks: 'Failing webhooks',
      rejected: 'Rejected',
      queued: 'Queued',
      processing: 'Processing',
      completed: 'Completed',
      cancelled: 'Canceled',
    } satisfies Record<AdminStatus | SubscriptionState | UserStatus | AuditOutcome | JobStatus, string>,
    exports: { csv: 'Export CSV', json: 'Export JSON' } satisfies Record<ExportFormat, string>,
    exportFailed: "Couldn't export",
    view: 'View',
    columns: 'Columns',
    pageRows: 'Rows per page',
    sort: 'Sort by',
    ascending: (column: string) => `${column}, ascending`,
    descending: (column: string) => `${column}, descending`,
    selection: 'Selection',
    selectAll: 'Select all rows',
    selectRow: (position: number) => `Select row ${position}`,
    selected: (count: number) => `${formatCount(count)} selected`,
    unselect: 'Clear selection',
    bulkFailed: (failed: number, count: number) => `${formatCount(failed)} of ${formatCount(count)} failed`,
    shown: (shown: string, total: string) => `${shown} of ${total}`,
    sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
    actionsColumn: 'Actions',
    actions: (row: string) => `Actions for ${row}`,
    chosen: { from: 'From', to: 'To', remove: (filter: string) => `Remove filter: ${filter}` },
    noMatch: { title: 'No matches', text: 'Try another search or filter.' },
    clear: 'Clear filters',
    noAccount: 'Deleted account',
    override: (plan: string, until: string | null) =>
      `${plan} set by an administrator${until === null ? '' : ` until ${until}`}`,
  },
} as const;
