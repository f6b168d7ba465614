import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import {
  type AnalyticsPeriod,
  type AnalyticsTable,
  analyticsPeriods,
  defaultPeriod,
} from '@uprez/contracts/policy/admin/analytics';
import { exportFormats } from '@uprez/contracts/policy/admin/tables';
import type { AnalyticsSpan } from '@uprez/contracts/schemas/admin/analytics';
import { formatDay } from '@uprez/contracts/texts/format';
import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { DownloadLink } from '../table/download-link.tsx';
import { analyticsMessages as text } from './messages.ts';

const comparisons = ['previous', 'none'] as const;

const usePeriod = () =>
  useSearchParam({ name: 'period', choices: analyticsPeriods, fallback: defaultPeriod, isImmediate: true });

export const useComparison = () =>
  useSearchParam({ name: 'compare', choices: comparisons, fallback: 'previous', isImmediate: true });

type PeriodRequest = { query: { period: AnalyticsPeriod }; signal: AbortSignal };

/** Reads numbers of the chosen period. `path` identifies the endpoint that `call` requests. */
export function useAnalytics<T>(path: string, call: (request: PeriodRequest) => Promise<{ data: T }>) {
  const [period] = usePeriod();
  return useQuery({
    queryKey: [path, { period }],
    queryFn: async ({ signal }) => (await call({ query: { period }, signal })).data,
    refetchOnMount: 'always',
  });
}

const periodOptions = analyticsPeriods.map((value) => ({ value, label: text.periods[value] }));
const comparisonOptions = comparisons.map((value) => ({ value, label: text.comparisons[value] }));

function ExportReport({ tables }: { tables: readonly AnalyticsTable[] }) {
  const [period] = usePeriod();
  const urlOf = (table: AnalyticsTable, format: string) =>
    `${adminRoutes.adminExportAnalytics.path}?${new URLSearchParams({ table, period, format })}`;
  const trigger = (
    <Button look="secondary" className="px-3">
      <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.exportReport}
    </Button>
  );
  return (
    <Popover label={text.exportReport} trigger={trigger}>
      <div className="grid gap-3">
        <ul className="grid gap-2">
          {tables.map((table) => (
            <li key={table} className="flex items-center justify-between gap-3 text-sm">
              {text.tables[table]}
              <span className="flex gap-2">
                {exportFormats.map((format) => (
                  <DownloadLink
                    key={format}
                    url={urlOf(table, format)}
                    aria-label={text.exportOf(text.tables[table], text.exports[format])}
                    className={buttonStyle({ look: 'secondary', size: 'small' })}
                  >
                    {text.exports[format]}
                  </DownloadLink>
                ))}
              </span>
            </li>
          ))}
        </ul>
        <Button look="secondary" onClick={() => window.print()}>
          <Printer aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.print}
        </Button>
      </div>
    </Popover>
  );
}

export function AnalyticsControls({ tables }: { tables: readonly AnalyticsTable[] }) {
  const [period, setPeriod] = usePeriod();
  const [comparison, setComparison] = useComparison();
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <Segmented legend={text.period} legendHidden options={periodOptions} value={period} onChange={setPeriod} />
      <Segmented
        legend={text.compare}
        legendHidden
        options={comparisonOptions}
        value={comparison}
        onChange={setComparison}
      />
      <ExportReport tables={tables} />
    </div>
  );
}

type AnalyticsViewProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode };

export function AnalyticsView<T extends Pick<AnalyticsSpan, 'from' | 'to' | 'missing'>>({
  query,
  children,
}: AnalyticsViewProps<T>) {
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-96" />}>
      {(data) => (
        <div className="grid min-w-0 gap-5">
          <p className="text-muted text-sm">{text.span(formatDay(data.from), formatDay(data.to))}</p>
          {data.missing && (
            <Notice kind="warning">{text.missing(formatDay(data.missing.from), formatDay(data.missing.to))}</Notice>
          )}
          {children(data)}
        </div>
      )}
    </QueryView>
  );
}
