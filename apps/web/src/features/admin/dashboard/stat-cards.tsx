import { useQuery } from '@tanstack/react-query';
import type { AdminStats } from '@uprez/contracts/schemas/admin';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { formatCount, formatPrice } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { monthStart } from '../../../lib/format/month-start.ts';
import { Tooltip } from '../../../ui/controls/tooltip.tsx';
import { hasShownError, QueryError } from '../../../ui/feedback/query-error.tsx';
import { retryAdmin } from '../frame/retry-admin.ts';
import { useMay } from '../frame/use-may.ts';
import { statsKey } from '../users/queries.ts';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.stats;

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
  const count = (value: number | undefined) => (stats ? formatCount(value ?? 0) : text.loading);
  const revenue = stats ? formatPrice(stats.monthlyRevenue ?? 0) : text.loading;
  return (
    <dl aria-label={text.label} className="grid gap-3 sm:grid-cols-3">
      <StatCard label={text.totalUsers}>
        <StatLink to={adminPages.users} isOpen={may.users}>
          {count(stats?.totalUsers)}
        </StatLink>
      </StatCard>
      <StatCard label={text.activeSubscriptions}>
        <StatLink to={`${adminPages.payments}?status=live`} isOpen={may.payments}>
          {count(stats?.activeSubscriptions)}
        </StatLink>
      </StatCard>
      {may.revenue && (
        <StatCard label={text.monthlyRevenue}>
          <Tooltip text={text.revenue(stats?.totalRevenue ?? 0, stats?.mrr ?? 0)}>
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
export function Stats() {
  const query = useQuery<AdminStats>({ queryKey: statsKey, refetchOnMount: 'always', retry: retryAdmin });
  const may = { users: useMay('users.read'), payments: useMay('payments.read'), revenue: useMay('revenue.read') };
  if (hasShownError(query)) return <QueryError query={query} />;
  return <StatCards stats={query.data} may={may} />;
}
