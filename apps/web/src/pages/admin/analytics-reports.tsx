import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AnalyticsReports, EngineReport, FailureReport } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AnalyticsControls } from '../../features/admin/analytics/analytics-controls.tsx';
import { AnalyticsView } from '../../features/admin/analytics/analytics-view.tsx';
import { formatNumber } from '../../features/admin/analytics/format-metric.ts';
import { analyticsMessages } from '../../features/admin/analytics/messages.ts';
import { MetricCard, MetricCards } from '../../features/admin/analytics/metric-card.tsx';
import { ReportTable } from '../../features/admin/analytics/report-table.tsx';
import { useComparison, usePeriod } from '../../features/admin/analytics/use-period.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Card } from '../../ui/layout/card.tsx';

const text = analyticsMessages.reports;
const hourMs = 3_600_000;
const time = (value: number | null) => formatNumber(value, 'time');
const nameOf = (engine: string) => (engine === 'unknown' ? analyticsMessages.unknownEngine : engine);

const engineColumns = [
  { name: text.engine, cell: ({ engine }: EngineReport) => nameOf(engine) },
  { name: text.completed, cell: ({ completed }: EngineReport) => formatCount(completed), isNumeric: true },
  { name: text.failed, cell: ({ failed }: EngineReport) => formatCount(failed), isNumeric: true },
  {
    name: text.success,
    cell: ({ successShare }: EngineReport) => formatNumber(successShare, 'share'),
    isNumeric: true,
  },
  { name: text.waitColumns.p50, cell: ({ wait }: EngineReport) => time(wait.p50), isNumeric: true },
  { name: text.waitColumns.p95, cell: ({ wait }: EngineReport) => time(wait.p95), isNumeric: true },
  { name: text.runColumns.p50, cell: ({ run }: EngineReport) => time(run.p50), isNumeric: true },
  { name: text.runColumns.p95, cell: ({ run }: EngineReport) => time(run.p95), isNumeric: true },
  { name: text.hours, cell: ({ engineMs }: EngineReport) => text.hourCount(engineMs / hourMs), isNumeric: true },
];

const failureColumns = [
  { name: text.code, cell: ({ code }: FailureReport) => <code className="text-xs">{code}</code> },
  { name: text.engine, cell: ({ engine }: FailureReport) => nameOf(engine) },
  { name: text.count, cell: ({ count }: FailureReport) => formatCount(count), isNumeric: true },
];
const previousColumn = {
  name: text.previous,
  cell: ({ previous }: FailureReport) => formatCount(previous),
  isNumeric: true,
};

function Reports({ reports }: { reports: AnalyticsReports }) {
  const [comparison] = useComparison();
  const { engines, failures, successShare, wait, run, engineMs } = reports;
  const isCompared = comparison === 'previous';
  const shown = failures.filter(({ count }) => isCompared || count > 0);
  const inHours = (ms: number | null) => (ms ?? 0) / hourMs;
  return (
    <>
      <MetricCards label={text.title}>
        <MetricCard label={text.success} kind="share" metric={successShare} formula={text.formulas.success} />
        <MetricCard
          label={text.wait}
          kind="time"
          metric={wait.p50}
          note={text.p95(time(wait.p95.value))}
          formula={text.formulas.wait}
        />
        <MetricCard
          label={text.run}
          kind="time"
          metric={run.p50}
          note={text.p95(time(run.p95.value))}
          formula={text.formulas.run}
        />
        <MetricCard
          label={text.hours}
          kind="average"
          metric={{ value: inHours(engineMs.value), previous: inHours(engineMs.previous) }}
          formula={text.formulas.hours}
        />
      </MetricCards>
      <Card title={text.engines}>
        {engines.length === 0 ? (
          <EmptyState {...text.noJobs} />
        ) : (
          <ReportTable caption={text.engines} rows={engines} columns={engineColumns} keyOf={({ engine }) => engine} />
        )}
      </Card>
      <Card title={text.failures}>
        <p className="text-muted text-sm">{text.failureFormula}</p>
        {shown.length === 0 ? (
          <EmptyState {...text.noFailures} />
        ) : (
          <ReportTable
            caption={text.failures}
            rows={shown}
            columns={isCompared ? [...failureColumns, previousColumn] : failureColumns}
            keyOf={({ code, engine }) => `${code} ${engine}`}
          />
        )}
      </Card>
    </>
  );
}

/** Failures, processing times, and success by engine. */
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
      actions={<AnalyticsControls tables={['engines', 'failures']} />}
    >
      <AnalyticsView query={query}>{(reports) => <Reports reports={reports} />}</AnalyticsView>
    </AdminPage>
  );
}
