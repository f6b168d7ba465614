import type { Metric } from '@uprez/contracts/schemas/admin/analytics';
import { formatCount, formatPercent, formatPrice } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../lib/format/format.ts';
import { useComparison } from './analytics-controls.tsx';
import { analyticsMessages, analyticsMessages as text } from './messages.ts';
import { RowLink, type RowsTarget } from './report-table.tsx';

type MetricFacts = {
  kind: NumberKind;
  /** A number without a previous period isn't compared. */
  metric: Metric | number;
  note?: ReactNode;
  rows?: RowsTarget;
};

type MetricCardsProps<Name extends string> = {
  label: string;
  /** Labels and formulas of the metrics. */
  text: Record<Name, string> & { formulas: Record<Name, string> };
  /** A metric that the role may not read is undefined and isn't shown. */
  metrics: readonly (Omit<MetricFacts, 'metric'> & { name: Name; metric: MetricFacts['metric'] | undefined })[];
};

export const MetricCards = <Name extends string>({ label, text: names, metrics }: MetricCardsProps<Name>) => (
  <dl aria-label={label} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
    {metrics.map(
      ({ name, metric, ...facts }) =>
        metric !== undefined && (
          <MetricCard key={name} label={names[name]} formula={names.formulas[name]} metric={metric} {...facts} />
        ),
    )}
  </dl>
);

type MetricCardProps = MetricFacts & { label: string; formula: string };

function MetricCard({ label, kind, metric, formula, note, rows }: MetricCardProps) {
  const [comparison] = useComparison();
  const compared = typeof metric === 'number' ? undefined : metric;
  const value = formatNumber(compared ? compared.value : (metric as number), kind);
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-card border border-line bg-surface p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-bold text-xl tracking-tight tabular-nums">
        <RowLink rows={rows}>{value}</RowLink>
      </dd>
      {note && <dd className="text-sm tabular-nums">{note}</dd>}
      {compared && comparison === 'previous' && (
        <dd className="text-sm tabular-nums">
          {compared.previous === null
            ? text.noBefore
            : text.before(formatNumber(compared.previous, kind), formatMetricChange(compared))}
        </dd>
      )}
      <dd className="text-muted text-xs">{formula}</dd>
    </div>
  );
}

/**
 * How to format a number. Shares are from 0 to 1, times are in milliseconds, and amounts are in US dollars. `cost` is
 * an amount that can include fractions of a cent.
 */
type NumberKind = 'count' | 'average' | 'hours' | 'amount' | 'cost' | 'share' | 'time';

const roundToCents = (amount: number) => Math.round(amount * 100) / 100;

const smallPriceFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 3,
});
/** Costs below this limit, in US dollars, are formatted with 2 or 3 significant digits, such as `$0.00234`. */
const smallCostLimit = 0.995;

const formats: Record<NumberKind, (value: number) => string> = {
  count: formatCount,
  average: (value) => formatCount(Math.round(value * 10) / 10),
  hours: (value) => formatCount(roundToCents(value)),
  amount: (value) => formatPrice(roundToCents(value)),
  cost: (value) =>
    value > 0 && value < smallCostLimit ? smallPriceFormat.format(value) : formatPrice(roundToCents(value)),
  share: (value) => formatPercent(100 * value),
  time: formatDuration,
};

/** Formats a number. Returns a dash if the value is null or undefined. */
export const formatNumber = (value: number | null | undefined, kind: NumberKind): string =>
  value === null || value === undefined ? analyticsMessages.unknown : formats[kind](value);

/**
 * Formats the change from the previous period, such as `+12%` or `0%`. Returns a dash if either value is missing or the
 * previous value is 0.
 */
export function formatMetricChange({ value, previous }: Metric): string {
  if (value === null || previous === null || previous === 0) return analyticsMessages.unknown;
  const percent = 100 * (value / previous - 1);
  return `${percent > 0 ? '+' : ''}${formatPercent(Math.round(percent * 10) / 10)}`;
}
