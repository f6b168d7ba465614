import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AnalyticsReports } from '@uprez/contracts/schemas/analytics';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AnalyticsControls } from '../../features/admin/analytics/analytics-controls.tsx';
import { AnalyticsView } from '../../features/admin/analytics/analytics-view.tsx';
import { EnginesCard, hourMs, lacksPrices, PriceLink } from '../../features/admin/analytics/engines-card.tsx';
import { FailuresCard } from '../../features/admin/analytics/failures-card.tsx';
import { formatNumber } from '../../features/admin/analytics/format-metric.ts';
import { deliveredRows, endedRows } from '../../features/admin/analytics/job-rows.ts';
import { analyticsMessages } from '../../features/admin/analytics/messages.ts';
import { MetricCard, MetricCards } from '../../features/admin/analytics/metric-card.tsx';
import { usePeriod } from '../../features/admin/analytics/use-period.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';

const text = analyticsMessages.reports;
const p95 = (value: number | null) => text.p95(formatNumber(value, 'time'));
const inHours = (ms: number | null) => (ms ?? 0) / hourMs;

function ReportCards({ reports }: { reports: AnalyticsReports }) {
  const { engines, successShare, wait, run, engineMs, cost, costPerImage } = reports;
  const { formulas } = text;
  const [ended, delivered] = [endedRows(reports), deliveredRows(reports)];
  return (
    <MetricCards label={text.title}>
      <MetricCard label={text.success} kind="share" metric={successShare} formula={formulas.success} rows={ended} />
      <MetricCard
        label={text.wait}
        kind="time"
        metric={wait.p50}
        note={p95(wait.p95.value)}
        formula={formulas.wait}
        rows={delivered}
      />
      <MetricCard
        label={text.run}
        kind="time"
        metric={run.p50}
        note={p95(run.p95.value)}
        formula={formulas.run}
        rows={delivered}
      />
      <MetricCard
        label={text.hours}
        kind="hours"
        metric={{ value: inHours(engineMs.value), previous: inHours(engineMs.previous) }}
        formula={formulas.hours}
        rows={ended}
      />
      {cost && <MetricCard label={text.cost} kind="amount" metric={cost} formula={formulas.cost} rows={ended} />}
      {costPerImage && (
        <MetricCard
          label={text.costPerImage}
          kind="cost"
          metric={costPerImage}
          note={lacksPrices(engines) ? <PriceLink /> : undefined}
          formula={formulas.costPerImage}
          rows={delivered}
        />
      )}
    </MetricCards>
  );
}

/** Failures, processing times, success, and costs by engine. */
export function AnalyticsReportsPage() {
  const [period] = usePeriod();
  const query = useQuery({
    queryKey: [adminRoutes.adminAnalyticsReports.path, { period }],
    queryFn: async ({ signal }) => (await adminApi.adminAnalyticsReports({ query: { period }, signal })).data,
    refetchOnMount: 'always',
  });
  return (
    <AdminPage
      title={text.title}
      subtitle={text.subtitle}
      actions={<AnalyticsControls tables={['summary', 'engines', 'failures']} />}
    >
      <AnalyticsView query={query}>
        {(reports) => (
          <>
            <ReportCards reports={reports} />
            <EnginesCard engines={reports.engines} days={reports} />
            <FailuresCard failures={reports.failures} days={reports} />
          </>
        )}
      </AnalyticsView>
    </AdminPage>
  );
}
