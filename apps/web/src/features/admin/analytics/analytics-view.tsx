import type { UseQueryResult } from '@tanstack/react-query';
import type { AnalyticsSpan } from '@uprez/contracts/schemas/admin/analytics';
import { formatDay } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { analyticsMessages as text } from './messages.ts';

type AnalyticsViewProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode };

/** The content of a page of analytics, under the days of its period. */
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
