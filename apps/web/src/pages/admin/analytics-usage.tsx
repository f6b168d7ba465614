import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans';
import type { AnalyticsUsage } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AnalyticsControls } from '../../features/admin/analytics/analytics-controls.tsx';
import { AnalyticsView } from '../../features/admin/analytics/analytics-view.tsx';
import { type Days, deliveredRows, endedRows } from '../../features/admin/analytics/job-rows.ts';
import { analyticsMessages } from '../../features/admin/analytics/messages.ts';
import { MetricCard, MetricCards } from '../../features/admin/analytics/metric-card.tsx';
import { ReportTable } from '../../features/admin/analytics/report-table.tsx';
import { RowLink } from '../../features/admin/analytics/row-link.tsx';
import { TopAccountsCard } from '../../features/admin/analytics/top-accounts-card.tsx';
import { useComparison, usePeriod } from '../../features/admin/analytics/use-period.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { Card } from '../../ui/layout/card.tsx';

const text = analyticsMessages.usage;

type PlanUsage = Record<'web' | 'api' | 'previous' | 'failed', number> & { plan: (typeof tiers)[number] };

/** One row for each plan, with both surfaces. */
const groupByPlan = (rows: AnalyticsUsage['rows']): PlanUsage[] =>
  tiers.map((plan) => {
    const own = rows.filter((row) => row.plan === plan);
    const sum = (key: 'previous' | 'failed') => own.reduce((total, row) => total + row[key], 0);
    const imagesOf = (surface: 'web' | 'api') => own.find((row) => row.surface === surface)?.images ?? 0;
    return { plan, web: imagesOf('web'), api: imagesOf('api'), previous: sum('previous'), failed: sum('failed') };
  });

const makeColumns = (days: Days) => [
  {
    name: text.plan,
    cell: ({ plan }: PlanUsage) => <RowLink rows={endedRows(days, { tier: plan })}>{currentPlans[plan].name}</RowLink>,
  },
  { name: text.images, cell: ({ web, api }: PlanUsage) => formatCount(web + api), isNumeric: true },
  { name: text.webColumn, cell: ({ web }: PlanUsage) => formatCount(web), isNumeric: true },
  { name: text.apiColumn, cell: ({ api }: PlanUsage) => formatCount(api), isNumeric: true },
  { name: text.failed, cell: ({ failed }: PlanUsage) => formatCount(failed), isNumeric: true },
];
const previousColumn = {
  name: text.previous,
  cell: ({ previous }: PlanUsage) => formatCount(previous),
  isNumeric: true,
};

function Usage({ usage }: { usage: AnalyticsUsage }) {
  const [comparison] = useComparison();
  const columns = makeColumns(usage);
  return (
    <>
      <MetricCards label={text.title}>
        {(['web', 'api'] as const).map((surface) => (
          <MetricCard
            key={surface}
            label={text[surface]}
            kind="count"
            metric={usage[surface]}
            formula={text.formulas[surface]}
            rows={deliveredRows(usage, { surface })}
          />
        ))}
      </MetricCards>
      <Card title={text.chart}>
        <DayChart
          days={usage.days}
          series={[
            { key: 'web', label: text.webSeries, stack: 'delivered' },
            { key: 'api', label: text.apiSeries, stack: 'delivered' },
          ]}
          label={text.chart}
        />
      </Card>
      <Card title={text.byPlan}>
        <p className="text-muted text-sm">{text.formulas.rows}</p>
        <ReportTable
          caption={text.byPlan}
          rows={groupByPlan(usage.rows)}
          columns={comparison === 'previous' ? [...columns, previousColumn] : columns}
          keyOf={({ plan }) => plan}
        />
      </Card>
    </>
  );
}

/** Images by plan, surface, and account. */
export function AnalyticsUsagePage() {
  const [period] = usePeriod();
  const mayReadUsers = useMay('users.read');
  const query = useQuery({
    queryKey: [adminRoutes.adminAnalyticsUsage.path, { period }],
    queryFn: async ({ signal }) => (await adminApi.adminAnalyticsUsage({ query: { period }, signal })).data,
    refetchOnMount: 'always',
  });
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
