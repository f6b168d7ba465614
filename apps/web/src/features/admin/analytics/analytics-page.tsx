import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Analytics, Cohort, PlanRevenue } from '@uprez/contracts/schemas/admin/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { formatMonth } from '../../../lib/format/format.ts';
import { getMonthStart } from '../../../lib/format/month-start.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { AnalyticsControls, AnalyticsView, usePeriod } from './analytics-controls.tsx';
import { type CohortRow, type CohortView, cohortViews, groupCohorts } from './cohorts.ts';
import { analyticsMessages } from './messages.ts';
import { formatNumber, MetricCard, MetricCards } from './metric-card.tsx';
import { type DayRange, deliveredRows, ReportTable, RowLink, type RowsTarget } from './report-table.tsx';

const text = analyticsMessages.overview;

const tabs = ['overview', 'users', 'revenue'] as const;

export function AnalyticsPage() {
  const [period] = usePeriod();
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabs, fallback: 'overview' });
  const hasRevenue = useHasPermission('revenue.read');
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

const planColumns = [
  {
    name: revenueText.plan,
    cell: (row: PlanRevenue) => <RowLink rows={planRowsOf(row)}>{planNameOf(row)}</RowLink>,
  },
  { name: revenueText.accounts, cell: ({ accounts }: PlanRevenue) => formatCount(accounts), isNumeric: true },
  { name: revenueText.planMrr, cell: ({ mrr }: PlanRevenue) => formatAmount(mrr), isNumeric: true },
  { name: revenueText.planRevenue, cell: ({ revenue }: PlanRevenue) => formatAmount(revenue), isNumeric: true },
];

type RevenueCardsProps = { revenue: Revenue; total: number; span: DayRange };

function RevenueCards({ revenue, total, span: { from, to } }: RevenueCardsProps) {
  const paid = (days: Partial<DayRange>): RowsTarget => ({
    page: 'transactions',
    filter: { status: 'succeeded', ...days },
  });
  const subscriptions: RowsTarget = { page: 'subscriptions', filter: { status: 'live' } };
  const canceled: RowsTarget = { page: 'subscriptions', filter: { status: 'canceled' } };
  const { formulas } = revenueText;
  return (
    <MetricCards label={analyticsMessages.overview.tabs.revenue}>
      <MetricCard label={revenueText.total} kind="amount" metric={total} formula={formulas.total} rows={paid({})} />
      <MetricCard
        label={revenueText.mrr}
        kind="amount"
        metric={revenue.mrr}
        formula={formulas.mrr}
        rows={subscriptions}
      />
      <MetricCard
        label={revenueText.subscriptions}
        kind="count"
        metric={revenue.activeSubscriptions}
        formula={formulas.subscriptions}
        rows={subscriptions}
      />
      <MetricCard
        label={revenueText.received}
        kind="amount"
        metric={revenue.received}
        formula={formulas.received}
        rows={paid({ from, to })}
      />
      <MetricCard
        label={revenueText.paying}
        kind="count"
        metric={revenue.payingAccounts}
        formula={formulas.paying}
        rows={subscriptions}
      />
      <MetricCard
        label={revenueText.arpu}
        kind="amount"
        metric={revenue.arpu}
        formula={formulas.arpu}
        rows={subscriptions}
      />
      <MetricCard
        label={revenueText.accountChurn}
        kind="share"
        metric={revenue.accountChurn}
        formula={formulas.accountChurn}
        rows={canceled}
      />
      <MetricCard
        label={revenueText.mrrChurn}
        kind="share"
        metric={revenue.mrrChurn}
        formula={formulas.mrrChurn}
        rows={canceled}
      />
    </MetricCards>
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
      <Card title={revenueText.mrrChart}>
        <DayChart
          days={revenue.days}
          series={[{ key: 'mrr', label: revenueText.planMrr }]}
          label={revenueText.mrrChart}
          format={formatAmount}
        />
      </Card>
      <Card title={revenueText.moneyChart}>
        <DayChart
          days={revenue.days}
          series={[
            { key: 'gross', label: revenueText.payments },
            { key: 'refunds', label: revenueText.refunds },
          ]}
          label={revenueText.moneyChart}
          format={formatAmount}
        />
      </Card>
      <div className="grid min-w-0 gap-5 xl:grid-cols-2">
        <Card title={revenueText.movements}>
          <p className="text-muted text-sm">{revenueText.movementFormula}</p>
          <ReportTable
            caption={revenueText.movements}
            rows={movements}
            columns={movementColumns}
            keyOf={(row) => row}
          />
        </Card>
        <Card title={revenueText.plans}>
          <p className="text-muted text-sm">{revenueText.planFormula}</p>
          <ReportTable caption={revenueText.plans} rows={plans} columns={planColumns} keyOf={({ plan }) => plan} />
        </Card>
      </div>
    </div>
  );
}

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
            rows={{ page: 'transactions', filter: { status: 'succeeded', from: getMonthStart() } }}
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
