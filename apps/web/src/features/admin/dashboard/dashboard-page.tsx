import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { UserStatus } from '@uprez/contracts/policy/tables';
import type { TicketFilter } from '@uprez/contracts/policy/tickets';
import type { AdminStats, Attention } from '@uprez/contracts/schemas/admin';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { formatCount, formatPrice } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { userKey } from '../../../lib/api/queries.ts';
import { monthStart } from '../../../lib/format/month-start.ts';
import { Tooltip } from '../../../ui/controls/tooltip.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { hasShownError, QueryError } from '../../../ui/feedback/query-error.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { retryAdmin } from '../frame/retry-admin.ts';
import { useMay } from '../frame/use-may.ts';
import { jobsOf } from '../jobs/links.ts';
import { healthKey } from '../payments/health-card.tsx';
import { statsKey } from '../users/queries.ts';
import { dashboardMessages as text } from './messages.ts';
import { UserManagement } from './user-management.tsx';

/** The totals of the site, and its users. */
export function DashboardPage() {
  const { data: user } = useQuery<User | null>({ queryKey: userKey });
  const mayReadUsers = useMay('users.read');
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <Stats />
      <AttentionCard />
      {user && mayReadUsers && <UserManagement user={user} />}
    </AdminPage>
  );
}

const statsText = text.stats;

const linkStyle = 'rounded-control underline decoration-line underline-offset-4 hover:decoration-current';

/** A number that leads to its rows, if the role of the administrator includes their page. */
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

/** The totals of the site; dots while they load. They link to the rows that they are made of. */
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
            <Link to={`${adminPages.transactions}?status=succeeded&from=${monthStart()}`} className={linkStyle}>
              {revenue}
            </Link>
          </Tooltip>
        </StatCard>
      )}
    </dl>
  );
}

/** The totals of the site that the role of the administrator includes. */
function Stats() {
  const query = useQuery<AdminStats>({ queryKey: statsKey, refetchOnMount: 'always', retry: retryAdmin });
  const may = { users: useMay('users.read'), payments: useMay('payments.read'), revenue: useMay('revenue.read') };
  if (hasShownError(query)) return <QueryError query={query} />;
  return <StatCards stats={query.data} may={may} />;
}

const attentionText = text.attention;

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

/** What needs an administrator, or that it couldn't be loaded. Nothing is shown while nothing does. */
function AttentionCard() {
  const enabled = useMay('payments.read');
  const payments = useQuery<PaymentHealth>({ queryKey: healthKey, refetchOnMount: 'always', enabled });
  const site = useQuery<Attention>({ queryKey: [adminRoutes.adminAttention.path], refetchOnMount: 'always' });
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

const ticketsIn = (state: TicketFilter) => `${adminPages.tickets}?state=${state}`;
const webhookUsers = `${adminPages.users}?status=${'webhooks' satisfies UserStatus}`;

/** What an administrator should look at, and the page with its rows, if there is one. */
type AttentionItem = { label: string; to?: string };

/** What billing needs an administrator for. */
export function listPaymentItems({ failing, doubled }: Pick<PaymentHealth, 'failing' | 'doubled'>): AttentionItem[] {
  const items = [
    { count: failing.length, label: attentionText.failing },
    { count: doubled.length, label: attentionText.doubled },
  ];
  return items
    .filter(({ count }) => count > 0)
    .map(({ count, label }) => ({ label: label(count), to: adminPages.inbox }));
}

/** Tickets without a reply, unusual activity, emails that weren't sent, webhook endpoints that fail or were disabled, and jobs that don't proceed. */
export function listSiteItems({ anomalies, mails, webhooks, jobs, tickets }: Attention): AttentionItem[] {
  const items = [
    { count: tickets?.open ?? 0, label: attentionText.openTickets, to: ticketsIn('open') },
    { count: tickets?.overdue ?? 0, label: attentionText.overdueTickets, to: ticketsIn('overdue') },
    { count: anomalies ?? 0, label: attentionText.anomalies, to: adminPages.accessLog },
    { count: mails?.failed ?? 0, label: attentionText.failedMails, to: adminPages.settingsEmail },
    { count: mails?.overdue ?? 0, label: attentionText.overdueMails, to: adminPages.settingsEmail },
    { count: webhooks?.failing ?? 0, label: attentionText.failingWebhooks, to: webhookUsers },
    { count: webhooks?.disabled ?? 0, label: attentionText.disabledWebhooks, to: webhookUsers },
    { count: jobs?.stuck ?? 0, label: attentionText.stuckJobs, to: jobsOf({ view: 'stuck' }) },
    { count: jobs?.dead ?? 0, label: attentionText.deadJobs, to: jobsOf({ view: 'dead_today' }) },
  ];
  return items.filter(({ count }) => count > 0).map(({ count, label, ...item }) => ({ ...item, label: label(count) }));
}
