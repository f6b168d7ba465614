import type { EngineName } from '@uprez/contracts/policy/engines';
import type { EngineReport } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useMay } from '../frame/use-may.ts';
import { formatNumber } from './format-metric.ts';
import { type Days, deliveredRows, endedRows } from './job-rows.ts';
import { analyticsMessages } from './messages.ts';
import { ReportTable } from './report-table.tsx';
import { RowLink } from './row-link.tsx';

const text = analyticsMessages.reports;
export const hourMs = 3_600_000;
const time = (value: number | null) => formatNumber(value, 'time');

/** Jobs that were deleted before days were rolled up have no engine. */
const isKnown = (engine: string) => engine !== 'unknown';
export const engineName = (engine: string): string => (isKnown(engine) ? engine : analyticsMessages.unknownEngine);
/** The filter for the jobs of an engine. */
export const engineFilter = (engine: string) => (isKnown(engine) ? { engine: engine as EngineName } : {});

const makeColumns = (days: Days) => [
  {
    name: text.engine,
    cell: ({ engine }: EngineReport) => (
      <RowLink rows={endedRows(days, engineFilter(engine))}>{engineName(engine)}</RowLink>
    ),
  },
  {
    name: text.completed,
    cell: ({ engine, completed }: EngineReport) => (
      <RowLink rows={deliveredRows(days, engineFilter(engine))}>{formatCount(completed)}</RowLink>
    ),
    isNumeric: true,
  },
  {
    name: text.failed,
    cell: ({ engine, failed }: EngineReport) => (
      <RowLink rows={endedRows(days, { ...engineFilter(engine), status: 'failed' })}>{formatCount(failed)}</RowLink>
    ),
    isNumeric: true,
  },
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

const costColumns = [
  { name: text.hourPrice, cell: ({ hourPrice }: EngineReport) => formatNumber(hourPrice, 'amount'), isNumeric: true },
  { name: text.cost, cell: ({ cost }: EngineReport) => formatNumber(cost, 'amount'), isNumeric: true },
  {
    name: text.costPerImage,
    cell: ({ costPerImage }: EngineReport) => formatNumber(costPerImage, 'cost'),
    isNumeric: true,
  },
];

/** Whether an engine of the period has no price. */
export const lacksPrices = (engines: readonly EngineReport[]): boolean =>
  engines.length === 0 || engines.some(({ engine, hourPrice }) => isKnown(engine) && hourPrice === null);

/** Leads to the setting with the prices. */
export const PriceLink = () => <RowLink rows={{ page: 'settings' }}>{text.setPrices}</RowLink>;

/** Jobs, times, and costs by engine. */
export function EnginesCard({ engines, days }: { engines: readonly EngineReport[]; days: Days }) {
  const hasCosts = useMay('revenue.read');
  const columns = makeColumns(days);
  return (
    <Card title={text.engines}>
      <p className="text-muted text-sm">{hasCosts ? text.costFormula : text.formulas.hours}</p>
      {engines.length === 0 ? (
        <EmptyState {...text.noJobs} />
      ) : (
        <ReportTable
          caption={text.engines}
          rows={engines}
          columns={hasCosts ? [...columns, ...costColumns] : columns}
          keyOf={({ engine }) => engine}
        />
      )}
    </Card>
  );
}
