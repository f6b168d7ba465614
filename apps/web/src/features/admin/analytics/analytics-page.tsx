import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Analytics, Cohort, PlanRevenue } from '@uprez/contracts/schemas/admin/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { formatMonth } from '../../../lib/format/format.ts';
import { getMonthStart } from '../../../lib/format/month-start.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { AnalyticsControls, AnalyticsView, useAnalytics } from './analytics-controls.tsx';
import { type CohortRow, type CohortView, cohortViews, groupCohorts } from './cohorts.ts';
import { analyticsMessages } from './messages.ts';
import { formatNumber, MetricCards } from './metric-card.tsx';
import {
  ChartCard,
  type DayRange,
  deliveredRows,
  ReportCard,
  type ReportColumn,
  RowLink,
  type RowsTarget,
} from './report-table.tsx';

const text = analyticsMessages.overview;

const tabs = ['overview', 'users', 'revenue'] as const;

export function AnalyticsPage() {
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabs, fallback: 'overview' });
  const hasRevenue = useHasPermission('revenue.read');
  const query = useAnalytics(adminRoutes.adminAnalytics.path, adminApi.adminAnalytics);
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

const revenueText = analyticsMessages.revenue;

type Revenue = NonNullable<Analytics['revenue']>;

type Movement = keyof Revenue['movements'];

const movements = ['start', 'new', 'expansion', 'reactivation', 'contraction', 'churn', 'end'] as const;

const isLoss = (movement: Movement) => movement === 'contraction' || movement === 'churn';

const planNameOf = ({ plan }: PlanRevenue) => (plan === 'pack' ? analyticsMessages.packs : currentPlans[plan].name);

/** Links to the records behind a plan's revenue. Packs link to transactions, because they have no subscriptions. */
const planRowsOf = ({ plan }: PlanRevenue): RowsTarget =>
  plan === 'pack' ? { page: 'transactions' } : { page: 'subscriptions', filter: { status: 'live', tier: plan } };

const formatAmount = (value: number) => formatNumber(value, 'amount');

const planColumns: ReportColumn<PlanRevenue>[] = [
  { name: revenueText.plan, cell: (row) => <RowLink rows={planRowsOf(row)}>{planNameOf(row)}</RowLink> },
  { name: revenueText.accounts, cell: ({ accounts }) => formatCount(accounts), isNumeric: true },
  { name: revenueText.planMrr, cell: ({ mrr }) => formatAmount(mrr), isNumeric: true },
  { name: revenueText.planRevenue, cell: ({ revenue }) => formatAmount(revenue), isNumeric: true },
];

type RevenueCardsProps = { revenue: Revenue; total: number; span: DayRange };

function RevenueCards({ revenue, total, span: { from, to } }: RevenueCardsProps) {
  const paid = (days: Partial<DayRange>): RowsTarget => ({
    page: 'transactions',
    filter: { status: 'succeeded', ...days },
  });
  const subscriptions: RowsTarget = { page: 'subscriptions', filter: { status: 'live' } };
  const canceled: RowsTarget = { page: 'subscriptions', filter: { status: 'canceled' } };
  return (
    <MetricCards
      label={analyticsMessages.overview.tabs.revenue}
      text={revenueText}
      metrics={[
        { name: 'total', kind: 'amount', metric: total, rows: paid({}) },
        { name: 'mrr', kind: 'amount', metric: revenue.mrr, rows: subscriptions },
        { name: 'subscriptions', kind: 'count', metric: revenue.activeSubscriptions, rows: subscriptions },
        { name: 'received', kind: 'amount', metric: revenue.received, rows: paid({ from, to }) },
        { name: 'paying', kind: 'count', metric: revenue.payingAccounts, rows: subscriptions },
        { name: 'arpu', kind: 'amount', metric: revenue.arpu, rows: subscriptions },
        { name: 'accountChurn', kind: 'share', metric: revenue.accountChurn, rows: canceled },
        { name: 'mrrChurn', kind: 'share', metric: revenue.mrrChurn, rows: canceled },
      ]}
    />
  );
}

function RevenueTab({ revenue, total, span }: RevenueCardsProps) {
  const plans = revenue.plans.filter((plan) => plan.plan !== 'free' || plan.revenue !== 0);
  const movementColumns = [
    { name: revenueText.movement, cell: (movement: Movement) => revenueText.rows[movement] },
    {
      name: revenueText.amount,
      cell: (movement: Movement) =>
        formatAmount(isLoss(movement) ? 0 - revenue.movements[movement] : revenue.movements[movement]),
      isNumeric: true,
    },
    { name: revenueText.formula, cell: (movement: Movement) => revenueText.movementFormulas[movement] },
  ];
  return (
    <div className="grid min-w-0 gap-5">
      <RevenueCards revenue={revenue} total={total} span={span} />
      <ChartCard
        title={revenueText.mrrChart}
        days={revenue.days}
        series={[{ key: 'mrr', label: revenueText.planMrr }]}
        format={formatAmount}
      />
      <ChartCard
        title={revenueText.moneyChart}
        days={revenue.days}
        series={[
          { key: 'gross', label: revenueText.payments },
          { key: 'refunds', label: revenueText.refunds },
        ]}
        format={formatAmount}
      />
      <div className="grid min-w-0 gap-5 xl:grid-cols-2">
        <ReportCard
          title={revenueText.movements}
          formula={revenueText.movementFormula}
          rows={movements}
          columns={movementColumns}
          keyOf={(row) => row}
        />
        <ReportCard
          title={revenueText.plans}
          formula={revenueText.planFormula}
          rows={plans}
          columns={planColumns}
          keyOf={({ plan }) => plan}
        />
      </div>
    </div>
  );
}

const usersText = analyticsMessages.users;

function UsersTab({ analytics: { users, days, cohorts } }: { analytics: Analytics }) {
  return (
    <div className="grid min-w-0 gap-5">
      <MetricCards
        label={analyticsMessages.overview.tabs.users}
        text={usersText}
        metrics={[
          { name: 'new', kind: 'count', metric: users.new, rows: { page: 'users' } },
          {
            name: 'verified',
            kind: 'count',
            metric: users.verified,
            rows: { page: 'users', filter: { status: 'verified' } },
          },
          {
            name: 'active',
            kind: 'average',
            metric: users.active,
            rows: { page: 'users', filter: { sort: '-images' } },
          },
          { name: 'deleted', kind: 'count', metric: users.deleted },
        ]}
      />
      <ChartCard
        title={usersText.signUpsChart}
        days={days}
        series={[
          { key: 'newUsers', label: usersText.newSeries },
          { key: 'verifiedUsers', label: usersText.verifiedSeries },
        ]}
      />
      <ChartCard
        title={usersText.activeChart}
        days={days}
        series={[{ key: 'activeUsers', label: usersText.activeSeries }]}
      />
      <CohortsCard cohorts={cohorts} />
    </div>
  );
}

const viewOptions = cohortViews.map((value) => ({ value, label: usersText.cohortViews[value] }));

/**
 * Groups accounts by the month in which they signed up. Shows how many of them were active or paying in each later
 * month.
 */
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
    <ReportCard
      title={usersText.cohorts}
      actions={views}
      formula={usersText.cohortFormula[view]}
      empty={usersText.noCohorts}
      rows={rows}
      columns={columns}
      keyOf={({ cohort }) => cohort}
    />
  );
}

function OverviewTab({ analytics }: { analytics: Analytics }) {
  const { overview, images, processingTime, users, days } = analytics;
  const revenueRows: RowsTarget = { page: 'transactions', filter: { status: 'succeeded', from: getMonthStart() } };
  const times = text.times(
    formatNumber(processingTime.median.value, 'time'),
    formatNumber(processingTime.p95.value, 'time'),
  );
  const delivered = deliveredRows(analytics);
  return (
    <div className="grid min-w-0 gap-5">
      <MetricCards
        label={text.tabs.overview}
        text={text}
        metrics={[
          { name: 'totalUsers', kind: 'count', metric: users.total, rows: { page: 'users' } },
          { name: 'monthlyRevenue', kind: 'amount', metric: overview.monthlyRevenue, rows: revenueRows },
          { name: 'images', kind: 'count', metric: images, rows: delivered },
          { name: 'time', kind: 'time', metric: processingTime.average, note: times, rows: delivered },
        ]}
      />
      <ChartCard
        title={text.imagesChart}
        days={days}
        series={[
          { key: 'images', label: text.delivered },
          { key: 'failed', label: text.failed },
        ]}
      />
      <ChartCard title={text.usersChart} days={days} series={[{ key: 'users', label: text.users }]} />
    </div>
  );
}
