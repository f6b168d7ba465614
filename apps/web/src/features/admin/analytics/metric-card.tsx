import type { Metric } from '@uprez/contracts/schemas/admin/analytics';
import type { ReactNode } from 'react';
import { useComparison } from './analytics-controls.tsx';
import { formatMetricChange, formatNumber, type NumberKind } from './format-metric.ts';
import { analyticsMessages as text } from './messages.ts';
import { RowLink, type Rows } from './row-link.tsx';

export const MetricCards = ({ label, children }: { label: string; children: ReactNode }) => (
  <dl aria-label={label} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
    {children}
  </dl>
);

type MetricCardProps = {
  label: string;
  kind: NumberKind;
  /** A plain number isn't compared with the previous period. */
  metric: Metric | number;
  formula: string;
  note?: ReactNode;
  /** Page and filters that list the records behind the number. */
  rows?: Rows | undefined;
};

/** A number, its formula, and the number of the previous period. */
export function MetricCard({ label, kind, metric, formula, note, rows }: MetricCardProps) {
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
