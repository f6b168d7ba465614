import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tables, type UserStatus, userStatuses } from '@uprez/contracts/policy/admin/tables';
import type { TicketFilter } from '@uprez/contracts/policy/admin/tickets';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { AdminStats, AdminUser, AttentionCounts } from '@uprez/contracts/schemas/admin/users';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatCount, formatPrice, pluralize } from '@uprez/contracts/texts/format';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { describeError, hasErrorCode, ShownError } from '../../../lib/api/api-errors.ts';
import { userKey } from '../../../lib/api/queries.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { getMonthStart } from '../../../lib/format/month-start.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { productName } from '../../../messages.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { Tooltip } from '../../../ui/controls/tooltip.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { hasShownError, QueryError } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi, shouldRetryAdminQuery } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { toJobsPath } from '../jobs/links.ts';
import { healthKey } from '../payments/health-card.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { userTableMessages as userTableText } from '../users/messages.ts';
import { statsKey, useListedUser } from '../users/queries.ts';
import { listActions, nameAuthor } from '../users/user-actions.ts';
import { UserCell } from '../users/user-cell.tsx';
import { describeConflict, describeOutcome, UserDialog } from '../users/user-dialogs.tsx';

export const dashboardMessages = {
  title: 'Dashboard',
  subtitle: `Welcome to ${productName} admin dashboard`,
  stats: {
    label: 'Site totals',
    totalUsers: 'Total Users',
    activeSubscriptions: 'Active Subscriptions',
    monthlyRevenue: 'Monthly Revenue',
    loading: '...',
    /** Amounts are in US dollars. */
    revenue: (total: number, mrr: number) =>
      `Total revenue: ${formatPrice(total)}. Monthly recurring revenue: ${formatPrice(mrr)}.`,
  },
  attention: {
    title: 'Needs attention',
    openTickets: (count: number) => `${pluralize(count, 'open ticket')} in the inbox`,
    overdueTickets: (count: number) => `${pluralize(count, 'ticket is', 'tickets are')} overdue`,
    failing: (count: number) => `${pluralize(count, 'customer')} couldn't be synced with Stripe`,
    anomalies: (count: number) => `${pluralize(count, 'unusual event')} to review`,
    failedMails: (count: number) => `${pluralize(count, 'email')} couldn't be sent in the last 24 hours`,
    overdueMails: (count: number) =>
      `${pluralize(count, 'email has', 'emails have')} been waiting for more than 15 minutes. Check the mail server.`,
    failingWebhooks: (count: number) =>
      `${pluralize(count, 'webhook endpoint has', 'webhook endpoints have')} been failing for more than an hour`,
    disabledWebhooks: (count: number) =>
      `${pluralize(count, 'webhook endpoint was', 'webhook endpoints were')} disabled in the last 7 days because deliveries failed`,
    stuckJobs: (count: number) => pluralize(count, 'stuck job'),
    deadJobs: (count: number) => `${pluralize(count, 'job')} failed with a processing error in the last 24 hours`,
    doubled: (count: number) => `${pluralize(count, 'account')} with more than one subscription`,
  },
} as const;

export function DashboardPage() {
  const { data: user } = useQuery<User | null>({ queryKey: userKey });
  const mayReadUsers = useHasPermission('users.read');
  return (
    <AdminPage title={dashboardMessages.title} subtitle={dashboardMessages.subtitle}>
      <Stats />
      <AttentionCard />
      {user && mayReadUsers && <UserManagement user={user} />}
    </AdminPage>
  );
}

const statsText = dashboardMessages.stats;

const linkStyle = 'rounded-control underline decoration-line underline-offset-4 hover:decoration-current';

/** Links a number to the records behind it. `isOpen`: whether the administrator's role includes their page. */
const StatLink = ({ to, isOpen, children }: { to: string; isOpen: boolean; children: ReactNode }) =>
  isOpen ? (
    <Link to={to} className={linkStyle}>
      {children}
    </Link>
  ) : (
    children
  );

function StatCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-card border border-line bg-surface p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-bold text-xl tracking-tight tabular-nums">{children}</dd>
    </div>
  );
}

type CardsProps = { stats: AdminStats | undefined; may: Record<'users' | 'payments' | 'revenue', boolean> };

export function StatCards({ stats, may }: CardsProps) {
  const count = (value: number | undefined) => (stats ? formatCount(value ?? 0) : statsText.loading);
  const revenue = stats ? formatPrice(stats.monthlyRevenue ?? 0) : statsText.loading;
  return (
    <dl aria-label={statsText.label} className="grid gap-3 sm:grid-cols-3">
      <StatCard label={statsText.totalUsers}>
        <StatLink to={adminPages.users} isOpen={may.users}>
          {count(stats?.totalUsers)}
        </StatLink>
      </StatCard>
      <StatCard label={statsText.activeSubscriptions}>
        <StatLink to={`${adminPages.payments}?status=live`} isOpen={may.payments}>
          {count(stats?.activeSubscriptions)}
        </StatLink>
      </StatCard>
      {may.revenue && (
        <StatCard label={statsText.monthlyRevenue}>
          <Tooltip text={statsText.revenue(stats?.totalRevenue ?? 0, stats?.mrr ?? 0)}>
            <Link to={`${adminPages.transactions}?status=succeeded&from=${getMonthStart()}`} className={linkStyle}>
              {revenue}
            </Link>
          </Tooltip>
        </StatCard>
      )}
    </dl>
  );
}

function Stats() {
  const query = useQuery<AdminStats>({ queryKey: statsKey, refetchOnMount: 'always', retry: shouldRetryAdminQuery });
  const may = {
    users: useHasPermission('users.read'),
    payments: useHasPermission('payments.read'),
    revenue: useHasPermission('revenue.read'),
  };
  if (hasShownError(query)) return <QueryError query={query} />;
  return <StatCards stats={query.data} may={may} />;
}

const attentionText = dashboardMessages.attention;

const AttentionList = ({ items }: { items: readonly AttentionItem[] }) => (
  <Notice kind="warning">
    <p className="font-medium">{attentionText.title}</p>
    <ul className="mt-1 grid gap-1">
      {items.map(({ label, to }) => (
        <li key={label}>
          {to ? (
            <Link to={to} className="underline decoration-line underline-offset-4 hover:decoration-current">
              {label}
            </Link>
          ) : (
            label
          )}
        </li>
      ))}
    </ul>
  </Notice>
);

function AttentionCard() {
  const enabled = useHasPermission('payments.read');
  const payments = useQuery<PaymentHealth>({ queryKey: healthKey, refetchOnMount: 'always', enabled });
  const site = useQuery<AttentionCounts>({ queryKey: [adminRoutes.adminAttention.path], refetchOnMount: 'always' });
  const items = [
    ...(site.data ? listSiteItems(site.data) : []),
    ...(payments.data ? listPaymentItems(payments.data) : []),
  ];
  return (
    <>
      <QueryError query={site} />
      <QueryError query={payments} />
      {items.length > 0 && <AttentionList items={items} />}
    </>
  );
}

const toTicketsPath = (state: TicketFilter) => `${adminPages.tickets}?state=${state}`;
const webhookUsersPath = `${adminPages.users}?status=${'webhooks' satisfies UserStatus}`;

/** `to`: the page that lists its records, if one exists. */
type AttentionItem = { label: string; to?: string };

export function listPaymentItems({ failing, doubled }: Pick<PaymentHealth, 'failing' | 'doubled'>): AttentionItem[] {
  const items = [
    { count: failing.length, label: attentionText.failing },
    { count: doubled.length, label: attentionText.doubled },
  ];
  return items
    .filter(({ count }) => count > 0)
    .map(({ count, label }) => ({ label: label(count), to: adminPages.inbox }));
}

/**
 * Returns what needs attention on the site: tickets without a reply, unusual activity, unsent emails, webhook endpoints
 * that are failing or were disabled, and jobs that are stuck or dead.
 */
export function listSiteItems({ anomalies, mails, webhooks, jobs, tickets }: AttentionCounts): AttentionItem[] {
  const items = [
    { count: tickets?.open ?? 0, label: attentionText.openTickets, to: toTicketsPath('open') },
    { count: tickets?.overdue ?? 0, label: attentionText.overdueTickets, to: toTicketsPath('overdue') },
    { count: anomalies ?? 0, label: attentionText.anomalies, to: adminPages.accessLog },
    { count: mails?.failed ?? 0, label: attentionText.failedMails, to: adminPages.settingsEmail },
    { count: mails?.overdue ?? 0, label: attentionText.overdueMails, to: adminPages.settingsEmail },
    { count: webhooks?.failing ?? 0, label: attentionText.failingWebhooks, to: webhookUsersPath },
    { count: webhooks?.disabled ?? 0, label: attentionText.disabledWebhooks, to: webhookUsersPath },
    { count: jobs?.stuck ?? 0, label: attentionText.stuckJobs, to: toJobsPath({ view: 'stuck' }) },
    { count: jobs?.dead ?? 0, label: attentionText.deadJobs, to: toJobsPath({ view: 'dead_today' }) },
  ];
  return items.filter(({ count }) => count > 0).map(({ count, label, ...item }) => ({ ...item, label: label(count) }));
}

type RequestTierChange = (user: AdminUser, tier: Tier) => void;

const columnsFor = (by: User, ask: RequestTierChange): Column<AdminUser, ColumnOf<'users'>>[] => [
  { id: 'user', name: userTableText.user, cell: (user) => <UserCell user={user} nameless={userTableText.anonymous} /> },
  {
    id: 'subscription',
    name: userTableText.subscription,
    cell: (user) =>
      listActions(by, user).includes('tier') ? (
        <TierSelect user={user} onAsk={(tier) => ask(user, tier)} />
      ) : (
        <Badge kind="neutral">{currentPlans[user.subscriptionTier].name}</Badge>
      ),
  },
  {
    id: 'images',
    name: userTableText.images,
    cell: ({ imagesProcessedThisMonth }) => formatCount(imagesProcessedThisMonth),
    sort: 'images',
    isNumeric: true,
  },
  {
    id: 'calls',
    name: userTableText.calls,
    cell: ({ apiCallsThisMonth }) => formatCount(apiCallsThisMonth),
    sort: 'calls',
    isNumeric: true,
  },
  {
    id: 'joined',
    name: userTableText.joined,
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap text-muted text-xs tabular-nums">
        {formatDate(createdAt)}
      </time>
    ),
    sort: 'created',
  },
];

function UserManagement({ user: own }: { user: User }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ user: AdminUser; tier: Tier }>();
  const table = useTable(
    { ...tables.users, filters: { tier: tiers, status: userStatuses } },
    {
      load: adminApi.adminListUsers,
      retry: shouldRetryAdminQuery,
    },
  );
  // Uses the current row, because another administrator may have changed the user since the dialog was opened.
  const user = useListedUser(table.query.data?.pages.flatMap(({ rows }) => rows) ?? [], asked?.user);
  return (
    <Card title={userTableText.title}>
      <p className="text-muted text-sm">{userTableText.subtitle}</p>
      <DataTable
        text={userTableText}
        table={table}
        columns={columnsFor(own, (user, tier) => setAsked({ user, tier }))}
        onOpen={({ id }) => void navigate(userPath(id))}
      />
      {asked && user && <UserDialog action="tier" user={user} tier={asked.tier} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}

/**
 * Shows an error toast for a failed tier change. An ended session shows nothing here, because the admin frame handles
 * it. Neither does a canceled identity check.
 */
export function showTierError(error: Error): void {
  if (hasErrorCode(error, 'not_signed_in') || hasErrorCode(error, 'step_up_required')) return;
  const description = error instanceof ApiError || error instanceof ShownError ? describeError(error) : '';
  showToast({ ...userTableText.failed, ...(description && { description }), destructive: true });
}

/**
 * Changes a user's tier as soon as the administrator has entered their password or a code. Calls `onAsk` instead if the
 * user has another live subscription, or if the current tier has an end date.
 */
function TierSelect({ user, onAsk }: { user: AdminUser; onAsk: (tier: Tier) => void }) {
  const change = useResourceMutation({
    call: async (subscriptionTier: Tier) => {
      const expected = { subscriptionTier: user.subscriptionTier, subscriptionEndsAt: user.subscriptionEndsAt };
      const body = { subscriptionTier, expected };
      return (await nameAuthor(adminApi.adminSetTier({ params: { id: user.id }, body }))).data;
    },
    onSuccess: (changed, subscriptionTier) =>
      showToast(describeOutcome({ subscriptionTier, endsAt: '' }, changed) ?? userTableText.updated),
    onError: showTierError,
    invalidates: [[adminRoutes.adminListUsers.path], statsKey],
  });
  const choose = (tier: Tier) => {
    const conflict = describeConflict(user.billedTier, { subscriptionTier: tier, endsAt: '' });
    if (conflict || user.subscriptionEndsAt !== null) onAsk(tier);
    else change.mutate(tier);
  };
  return (
    <span className="inline-block w-40 text-left">
      <Select
        label={userTableText.changeTier(user.email)}
        labelHidden
        value={change.isPending ? change.variables : user.subscriptionTier}
        onChange={choose}
        disabled={change.isPending}
        options={tiers.map((tier) => ({ value: tier, label: currentPlans[tier].name }))}
      />
    </span>
  );
}
