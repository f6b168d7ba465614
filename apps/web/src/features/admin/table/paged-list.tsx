import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import type { Route } from '@uprez/contracts/endpoints/routes';
import type { ReactNode } from 'react';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ExportLinks } from './export-links.tsx';
import { PageFooter } from './page-footer.tsx';
import type { TablePage } from './use-pages.ts';

type PagedListProps<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<TablePage<Row>>>;
  /** The endpoint that exports the list, and the parameters of its path. */
  exports: Route;
  params?: object;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
};

/** A list without filters: its rows, how many there are, and exports of all of them. */
export const PagedList = <Row,>({ query, exports, params = {}, empty, children }: PagedListProps<Row>) => (
  <QueryView
    query={query}
    skeleton={<Skeleton className="h-32 rounded-card" />}
    isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
    empty={empty}
  >
    {({ pages }) => {
      const rows = pages.flatMap((page) => page.rows);
      const total = Math.max(pages[0]?.total ?? 0, rows.length);
      return (
        <>
          <ExportLinks url={(format) => routeUrl(exports, { params, query: { format } })} />
          {children(rows)}
          <PageFooter query={query} shown={rows.length} total={total} />
        </>
      );
    }}
  </QueryView>
);
