import { formatCount, formatDay } from '@uprez/contracts/texts/format';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Segmented } from '../controls/segmented.tsx';
import type { DayNumbers, DaySeries } from './day-plot.tsx';

const text = {
  view: 'Show as',
  views: { chart: 'Chart', table: 'Table' },
  day: 'Day',
  loading: 'Loading chart',
  quiet: 'No data for this period.',
  table: (label: string) => `${label}: table`,
} as const;

const DayPlot = lazy(async () => ({ default: (await import('./day-plot.tsx')).DayPlot }));

type DayChartProps<K extends string> = {
  /** Oldest first. `day` is a date without a time: `2026-11-05`. */
  days: readonly DayNumbers<K>[];
  series: readonly DaySeries<K>[];
  label: string;
  /** Defaults to counts. */
  format?: (value: number) => string;
  summary?: ReactNode;
};

const views = (['chart', 'table'] as const).map((value) => ({ value, label: text.views[value] }));

export function DayChart<K extends string>({ days, series, label, format = formatCount, summary }: DayChartProps<K>) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="text-muted text-sm tabular-nums">{summary}</div>
        <div className="print:hidden">
          <Segmented legend={`${text.view}: ${label}`} legendHidden options={views} value={view} onChange={setView} />
        </div>
      </div>
      {/* Printed pages have the table, whichever view is shown. */}
      <div className={view === 'table' ? undefined : 'hidden print:block'}>
        <DayTable days={days} series={series} label={label} format={format} />
      </div>
      {view === 'chart' && (
        <div className="h-52 print:hidden">
          <Suspense fallback={<div role="status" aria-label={text.loading} className="size-full" />}>
            <DayPlot days={days} series={series} label={label} format={format} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

type DayTableProps<K extends string> = Required<Omit<DayChartProps<K>, 'summary'>>;

function DayTable<K extends string>({ days, series, label, format }: DayTableProps<K>) {
  const isEmpty = days.every((row) => series.every(({ key }) => row[key] === 0));
  if (isEmpty) return <p className="text-muted text-sm">{text.quiet}</p>;
  return (
    // Scrollable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus.
    <section aria-label={text.table(label)} tabIndex={0} className="max-h-72 overflow-auto print:max-h-none">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-line border-b text-left text-muted">
            <th className="py-1.5 pr-3 font-normal">{text.day}</th>
            {series.map(({ key, label: name }) => (
              <th key={key} className="py-1.5 pl-3 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days.toReversed().map((row) => (
            <tr key={row.day}>
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                {formatDay(row.day)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className="py-1.5 pl-3 text-right">
                  {format(row[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
