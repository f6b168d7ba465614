import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans/plans';
import type { AnalyticsUsage, TopAccount } from '@uprez/contracts/schemas/admin/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { AnalyticsControls, AnalyticsView, useAnalytics, useComparison } from './analytics-controls.tsx';
import { analyticsMessages } from './messages.ts';
import { MetricCards } from './metric-card.tsx';
import {
  ChartCard,
  type DayRange,
  deliveredRows,
  endedRows,
  ReportCard,
  type ReportColumn,
  ReportTable,
  RowLink,
} from './report-table.tsx';

const text = analyticsMessages.usage;

export function AnalyticsUsagePage() {
  const mayReadUsers = useHasPermission('users.read');
  const query = useAnalytics(adminRoutes.adminAnalyticsUsage.path, adminApi.adminAnalyticsUsage);
  return (
    <AdminPage
      title={text.title}
      subtitle={text.subtitle}
      actions={<AnalyticsControls tables={mayReadUsers ? ['summary', 'usage', 'accounts'] : ['summary', 'usage']} />}
    >
      <AnalyticsView query={query}>{(usage) => <Usage usage={usage} />}</AnalyticsView>
      {mayReadUsers && <TopAccountsCard />}
    </AdminPage>
  );
}

type PlanUsage = Record<'web' | 'api' | 'previous' | 'failed', number> & { plan: (typeof tiers)[number] };

const groupByPlan = (rows: AnalyticsUsage['rows']): PlanUsage[] =>
  tiers.map((plan) => {
    const own = rows.filter((row) => row.plan === plan);
    const sum = (key: 'previous' | 'failed') => own.reduce((total, row) => total + row[key], 0);
    const imagesOf = (surface: 'web' | 'api') => own.find((row) => row.surface === surface)?.images ?? 0;
    return { plan, web: imagesOf('web'), api: imagesOf('api'), previous: sum('previous'), failed: sum('failed') };
  });

const makeColumns = (days: DayRange): ReportColumn<PlanUsage>[] => [
  {
    name: text.plan,
    cell: ({ plan }) => <RowLink rows={endedRows(days, { tier: plan })}>{currentPlans[plan].name}</RowLink>,
  },
  { name: text.images, cell: ({ web, api }) => formatCount(web + api), isNumeric: true },
  { name: text.webColumn, cell: ({ web }) => formatCount(web), isNumeric: true },
  { name: text.apiColumn, cell: ({ api }) => formatCount(api), isNumeric: true },
  { name: text.failed, cell: ({ failed }) => formatCount(failed), isNumeric: true },
];

const previousColumn: ReportColumn<PlanUsage> = {
  name: text.previous,
  cell: ({ previous }) => formatCount(previous),
  isNumeric: true,
};

function Usage({ usage }: { usage: AnalyticsUsage }) {
  const [comparison] = useComparison();
  const columns = makeColumns(usage);
  return (
    <>
      <MetricCards
        label={text.title}
        text={text}
        metrics={(['web', 'api'] as const).map((surface) => ({
          name: surface,
          kind: 'count',
          metric: usage[surface],
          rows: deliveredRows(usage, { surface }),
        }))}
      />
      <ChartCard
        title={text.chart}
        days={usage.days}
        series={[
          { key: 'web', label: text.webSeries, stack: 'delivered' },
          { key: 'api', label: text.apiSeries, stack: 'delivered' },
        ]}
      />
      <ReportCard
        title={text.byPlan}
        formula={text.formulas.rows}
        rows={groupByPlan(usage.rows)}
        columns={comparison === 'previous' ? [...columns, previousColumn] : columns}
        keyOf={({ plan }) => plan}
      />
    </>
  );
}

function AccountName({ id, email, name }: TopAccount) {
  const label = (
    <span className="grid wrap-anywhere">
      {name && <span className="font-medium">{name}</span>}
      <span className={name ? 'text-muted text-xs' : undefined}>{email}</span>
    </span>
  );
  return (
    <Link
      to={userPath(id)}
      className="inline-block rounded-control underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {label}
    </Link>
  );
}

const columns: ReportColumn<TopAccount>[] = [
  { name: text.account, cell: (row) => <AccountName {...row} /> },
  { name: text.plan, cell: ({ plan }) => currentPlans[plan].name },
  { name: text.images, cell: ({ images }) => formatCount(images), isNumeric: true },
  { name: text.webColumn, cell: ({ web }) => formatCount(web), isNumeric: true },
  { name: text.apiColumn, cell: ({ api }) => formatCount(api), isNumeric: true },
  { name: text.failed, cell: ({ failed }) => formatCount(failed), isNumeric: true },
];

function TopAccountsCard() {
  const query = useAnalytics(adminRoutes.adminTopAccounts.path, adminApi.adminTopAccounts);
  return (
    <Card title={text.accounts}>
      <p className="text-muted text-sm">{text.formulas.accounts}</p>
      <QueryView query={query} skeleton={<Skeleton className="h-40" />} empty={<EmptyState {...text.noAccounts} />}>
        {(rows) => <ReportTable caption={text.accounts} rows={rows} columns={columns} keyOf={({ id }) => id} />}
      </QueryView>
    </Card>
  );
}
