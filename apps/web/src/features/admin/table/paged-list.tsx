import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import type { Route } from '@uprez/contracts/endpoints/routes';
import { type ExportFormat, exportFormats } from '@uprez/contracts/policy/admin/tables';
import { formatCount } from '@uprez/contracts/texts/format';
import { Download } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { findNextCursor } from '../../../lib/api/next-cursor.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { adminMessages } from '../messages.ts';
import { DownloadLink } from './download-link.tsx';

type PagedListProps<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<TablePage<Row>>>;
  /** Export endpoint of the list. `params` are its path parameters. */
  exports: Route;
  params?: object;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
};

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

const text = adminMessages.table;

type PageFooterProps = { query: UseInfiniteQueryResult; shown: number; total: number };

export const PageFooter = ({ query, shown, total }: PageFooterProps) => (
  <>
    <p className="text-center text-muted text-xs tabular-nums">{text.shown(formatCount(shown), formatCount(total))}</p>
    <MoreButton query={query} />
  </>
);

type ExportLinksProps = { url: (format: ExportFormat) => string; isLoaded?: boolean };

/**
 * Links that export the filtered rows with the visible columns. Disabled until the list is loaded. `e` downloads the
 * first format.
 */
export function ExportLinks({ url, isLoaded = true }: ExportLinksProps) {
  const first = useRef<HTMLAnchorElement>(null);
  useShortcut('tableExport', () => first.current?.click(), isLoaded);
  return (
    <span className="flex flex-wrap gap-2">
      {exportFormats.map((format, index) => (
        <DownloadLink
          key={format}
          ref={index === 0 ? first : undefined}
          url={isLoaded ? url(format) : undefined}
          className={buttonStyle({ look: 'secondary' })}
        >
          {index === 0 && <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />}
          {adminMessages.table.exports[format]}
        </DownloadLink>
      ))}
    </span>
  );
}

export type TablePage<Row> = { rows: Row[]; total: number; next: string | undefined };

/** Returns a page of a list, with the cursor and the total from the response headers. */
export function readTablePage<Row>({ data: rows, headers }: { data: Row[]; headers: Headers }): TablePage<Row> {
  return { rows, next: findNextCursor(headers), total: Number(headers.get('x-total-count') ?? rows.length) };
}

type PageRequest = { query: { cursor: string | undefined; limit: number }; signal: AbortSignal };
const pageRows = 50;

/** Loads a list page by page, with a cursor. */
export const usePages = <Row,>(
  queryKey: readonly string[],
  load: (request: PageRequest) => Promise<{ data: Row[]; headers: Headers }>,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: cursor, signal }) =>
      readTablePage(await load({ query: { cursor, limit: pageRows }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
