import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { AnalyticsReports, EngineReport, FailureReport } from '@uprez/contracts/schemas/admin/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { AnalyticsControls, AnalyticsView, useAnalytics, useComparison } from './analytics-controls.tsx';
import { analyticsMessages } from './messages.ts';
import { formatNumber, MetricCards } from './metric-card.tsx';
import { type DayRange, deliveredRows, endedRows, ReportCard, type ReportColumn, RowLink } from './report-table.tsx';

const text = analyticsMessages.reports;

export function AnalyticsReportsPage() {
  const query = useAnalytics(adminRoutes.adminAnalyticsReports.path, adminApi.adminAnalyticsReports);
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

const hourMs = 3_600_000;

const formatTime = (value: number | null) => formatNumber(value, 'time');

/** Whether the engine is known. It isn't known for jobs that were deleted before their day was aggregated. */
const isKnownEngine = (engine: string) => engine !== 'unknown';

const engineNameOf = (engine: string): string => (isKnownEngine(engine) ? engine : analyticsMessages.unknownEngine);

const engineFilterOf = (engine: string) => (isKnownEngine(engine) ? { engine: engine as JobEngine } : {});

const makeEnginesColumns = (days: DayRange): ReportColumn<EngineReport>[] => [
  {
    name: text.engine,
    cell: ({ engine }) => <RowLink rows={endedRows(days, engineFilterOf(engine))}>{engineNameOf(engine)}</RowLink>,
  },
  {
    name: text.completed,
    cell: ({ engine, completed }) => (
      <RowLink rows={deliveredRows(days, engineFilterOf(engine))}>{formatCount(completed)}</RowLink>
    ),
    isNumeric: true,
  },
  {
    name: text.failed,
    cell: ({ engine, failed }) => (
      <RowLink rows={endedRows(days, { ...engineFilterOf(engine), status: 'failed' })}>{formatCount(failed)}</RowLink>
    ),
    isNumeric: true,
  },
  { name: text.success, cell: ({ successShare }) => formatNumber(successShare, 'share'), isNumeric: true },
  { name: text.waitColumns.p50, cell: ({ wait }) => formatTime(wait.p50), isNumeric: true },
  { name: text.waitColumns.p95, cell: ({ wait }) => formatTime(wait.p95), isNumeric: true },
  { name: text.runColumns.p50, cell: ({ run }) => formatTime(run.p50), isNumeric: true },
  { name: text.runColumns.p95, cell: ({ run }) => formatTime(run.p95), isNumeric: true },
  { name: text.hours, cell: ({ engineMs }) => text.hourCount(engineMs / hourMs), isNumeric: true },
];

const costColumns: ReportColumn<EngineReport>[] = [
  { name: text.hourPrice, cell: ({ hourPrice }) => formatNumber(hourPrice, 'amount'), isNumeric: true },
  { name: text.cost, cell: ({ cost }) => formatNumber(cost, 'amount'), isNumeric: true },
  { name: text.costPerImage, cell: ({ costPerImage }) => formatNumber(costPerImage, 'cost'), isNumeric: true },
];

/** Whether engine prices may be missing: an engine that was used in the period has no price, or no engine was used. */
const lacksPrices = (engines: readonly EngineReport[]): boolean =>
  engines.length === 0 || engines.some(({ engine, hourPrice }) => isKnownEngine(engine) && hourPrice === null);

const PriceLink = () => <RowLink rows={{ page: 'settings' }}>{text.setPrices}</RowLink>;

function EnginesCard({ engines, days }: { engines: readonly EngineReport[]; days: DayRange }) {
  const hasCosts = useHasPermission('revenue.read');
  const columns = makeEnginesColumns(days);
  return (
    <ReportCard
      title={text.engines}
      formula={hasCosts ? text.costFormula : text.formulas.hours}
      empty={text.noJobs}
      rows={engines}
      columns={hasCosts ? [...columns, ...costColumns] : columns}
      keyOf={({ engine }) => engine}
    />
  );
}

const formatP95 = (value: number | null) => text.p95(formatNumber(value, 'time'));

const toHours = (ms: number | null) => (ms ?? 0) / hourMs;

function ReportCards({ reports }: { reports: AnalyticsReports }) {
  const { engines, successShare, wait, run, engineMs, cost, costPerImage } = reports;
  const hours = { value: toHours(engineMs.value), previous: toHours(engineMs.previous) };
  const [ended, delivered] = [endedRows(reports), deliveredRows(reports)];
  const priceNote = lacksPrices(engines) && <PriceLink />;
  return (
    <MetricCards
      label={text.title}
      text={text}
      metrics={[
        { name: 'success', kind: 'share', metric: successShare, rows: ended },
        { name: 'wait', kind: 'time', metric: wait.p50, note: formatP95(wait.p95.value), rows: delivered },
        { name: 'run', kind: 'time', metric: run.p50, note: formatP95(run.p95.value), rows: delivered },
        { name: 'hours', kind: 'hours', metric: hours, rows: ended },
        { name: 'cost', kind: 'amount', metric: cost, rows: ended },
        { name: 'costPerImage', kind: 'cost', metric: costPerImage, note: priceNote, rows: delivered },
      ]}
    />
  );
}

const makeColumns = (days: DayRange): ReportColumn<FailureReport>[] => [
  {
    name: text.code,
    cell: ({ code, engine }) => (
      <RowLink rows={endedRows(days, { ...engineFilterOf(engine), error: code })}>
        <code className="text-xs">{code}</code>
      </RowLink>
    ),
  },
  { name: text.engine, cell: ({ engine }) => engineNameOf(engine) },
  { name: text.count, cell: ({ count }) => formatCount(count), isNumeric: true },
];

const previousColumn: ReportColumn<FailureReport> = {
  name: text.previous,
  cell: ({ previous }) => formatCount(previous),
  isNumeric: true,
};

function FailuresCard({ failures, days }: { failures: readonly FailureReport[]; days: DayRange }) {
  const [comparison] = useComparison();
  const columns = makeColumns(days);
  const isCompared = comparison === 'previous';
  const shown = failures.filter(({ count }) => isCompared || count > 0);
  return (
    <ReportCard
      title={text.failures}
      formula={text.failureFormula}
      empty={text.noFailures}
      rows={shown}
      columns={isCompared ? [...columns, previousColumn] : columns}
      keyOf={({ code, engine }) => `${code} ${engine}`}
    />
  );
}
