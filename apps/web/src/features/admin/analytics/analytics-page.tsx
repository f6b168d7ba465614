import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Analytics, Cohort } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { formatMonth } from '../../../lib/format/format.ts';
import { monthStart } from '../../../lib/format/month-start.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { AnalyticsControls } from './analytics-controls.tsx';
import { AnalyticsView } from './analytics-view.tsx';
import { type CohortRow, type CohortView, cohortViews, groupCohorts } from './cohorts.ts';
import { formatNumber } from './format-metric.ts';
import { deliveredRows } from './job-rows.ts';
import { analyticsMessages } from './messages.ts';
import { MetricCard, MetricCards } from './metric-card.tsx';
import { ReportTable } from './report-table.tsx';
import { RevenueTab } from './revenue-tab.tsx';
import { usePeriod } from './use-period.ts';

const usersText = analyticsMessages.users;

function UsersTab({ analytics: { users, days, cohorts } }: { analytics: Analytics }) {
  return (
    <div className="grid min-w-0 gap-5">
      <MetricCards label={analyticsMessages.overview.tabs.users}>
        <MetricCard
          label={usersText.new}
          kind="count"
          metric={users.new}
          formula={usersText.formulas.new}
          rows={{ page: 'users' }}
        />
        <MetricCard
          label={usersText.verified}
          kind="count"
          metric={users.verified}
          formula={usersText.formulas.verified}
          rows={{ page: 'users', filter: { status: 'verified' } }}
        />
        <MetricCard
          label={usersText.active}
          kind="average"
          metric={users.active}
          formula={usersText.formulas.active}
          rows={{ page: 'users', filter: { sort: '-images' } }}
        />
        <MetricCard
          label={usersText.deleted}
          kind="count"
          metric={users.deleted}
          formula={usersText.formulas.deleted}
        />
      </MetricCards>
      <Card title={usersText.signUpsChart}>
        <DayChart
          days={days}
          series={[
            { key: 'newUsers', label: usersText.newSeries },
            { key: 'verifiedUsers', label: usersText.verifiedSeries },
          ]}
          label={usersText.signUpsChart}
        />
      </Card>
      <Card title={usersText.activeChart}>
        <DayChart
          days={days}
          series={[{ key: 'activeUsers', label: usersText.activeSeries }]}
          label={usersText.activeChart}
        />
      </Card>
      <CohortsCard cohorts={cohorts} />
    </div>
  );
}

const viewOptions = cohortViews.map((value) => ({ value, label: usersText.cohortViews[value] }));

/** Accounts by month of sign-up, and how many of them are active or pay in later months. */
function CohortsCard({ cohorts }: { cohorts: readonly Cohort[] }) {
  const [view, setView] = useState<CohortView>('active');
  const rows = groupCohorts(cohorts, view);
  const months = Math.max(0, ...rows.map(({ shares }) => shares.length));
  const columns = [
    { name: usersText.signedUp, cell: ({ cohort }: CohortRow) => formatMonth(cohort) },
    { name: usersText.accounts, cell: ({ accounts }: CohortRow) => formatCount(accounts), isNumeric: true },
    ...Array.from({ length: months }, (_, age) => ({
      name: usersText.monthNumber(age),
      cell: ({ shares }: CohortRow) => (age < shares.length ? formatNumber(shares[age], 'share') : null),
      isNumeric: true,
    })),
  ];
  const views = (
    <Segmented legend={usersText.cohortOf} legendHidden options={viewOptions} value={view} onChange={setView} />
  );
  return (
    <Card title={usersText.cohorts} actions={views}>
      <p className="text-muted text-sm">{usersText.cohortFormula[view]}</p>
      {rows.length === 0 ? (
        <EmptyState {...usersText.noCohorts} />
      ) : (
        <ReportTable caption={usersText.cohorts} rows={rows} columns={columns} keyOf={({ cohort }) => cohort} />
      )}
    </Card>
  );
}

const text = analyticsMessages.overview;
const tabs = ['overview', 'users', 'revenue'] as const;

/** Users, images, and revenue of a period. */
export function AnalyticsPage() {
  const [period] = usePeriod();
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabs, fallback: 'overview' });
  const hasRevenue = useMay('revenue.read');
  const query = useQuery({
    queryKey: [adminRoutes.adminAnalytics.path, { period }],
    queryFn: async ({ signal }) => (await adminApi.adminAnalytics({ query: { period }, signal })).data,
    refetchOnMount: 'always',
  });
  const controls = (
    <AnalyticsControls
      tables={hasRevenue ? ['summary', 'days', 'cohorts', 'revenue', 'plans'] : ['summary', 'days', 'cohorts']}
    />
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={controls}>
      <AnalyticsView query={query}>
        {(analytics) => (
          <Tabs
            label={text.tabs.label}
            value={hasRevenue || tab !== 'revenue' ? tab : 'overview'}
            onChange={setTab}
            tabs={[
              { value: 'overview', label: text.tabs.overview, content: <OverviewTab analytics={analytics} /> },
              { value: 'users', label: text.tabs.users, content: <UsersTab analytics={analytics} /> },
              ...(analytics.revenue
                ? [
                    {
                      value: 'revenue' as const,
                      label: text.tabs.revenue,
                      content: (
                        <RevenueTab
                          revenue={analytics.revenue}
                          total={analytics.overview.totalRevenue ?? 0}
                          span={analytics}
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </AnalyticsView>
    </AdminPage>
  );
}

function OverviewTab({ analytics }: { analytics: Analytics }) {
  const { overview, images, processingTime, users, days } = analytics;
  return (
    <div className="grid min-w-0 gap-5">
      <MetricCards label={text.tabs.overview}>
        <MetricCard
          label={text.totalUsers}
          kind="count"
          metric={users.total}
          formula={text.formulas.totalUsers}
          rows={{ page: 'users' }}
        />
        {overview.monthlyRevenue !== undefined && (
          <MetricCard
            label={text.monthlyRevenue}
            kind="amount"
            metric={overview.monthlyRevenue}
            formula={text.formulas.monthlyRevenue}
            rows={{ page: 'transactions', filter: { status: 'succeeded', from: monthStart() } }}
          />
        )}
        <MetricCard
          label={text.images}
          kind="count"
          metric={images}
          formula={text.formulas.images}
          rows={deliveredRows(analytics)}
        />
        <MetricCard
          label={text.time}
          kind="time"
          metric={processingTime.average}
          note={text.times(
            formatNumber(processingTime.median.value, 'time'),
            formatNumber(processingTime.p95.value, 'time'),
          )}
          formula={text.formulas.time}
          rows={deliveredRows(analytics)}
        />
      </MetricCards>
      <Card title={text.imagesChart}>
        <DayChart
          days={days}
          series={[
            { key: 'images', label: text.delivered },
            { key: 'failed', label: text.failed },
          ]}
          label={text.imagesChart}
        />
      </Card>
      <Card title={text.usersChart}>
        <DayChart days={days} series={[{ key: 'users', label: text.users }]} label={text.usersChart} />
      </Card>
    </div>
  );
}
