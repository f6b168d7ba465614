import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { type ApiRouteName, apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { useSearchParams } from 'react-router';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { searchName } from '../../../ui/controls/search-field.tsx';

type Filter<Status, Sort> = { search: string | undefined; status: Status | undefined; sort: Sort };
type PageRequest<Status, Sort> = {
  query: Filter<Status, Sort> & { cursor: string | undefined; limit: number };
  signal: AbortSignal;
};

type TableOptions<Row, Status extends string, Sort extends string> = {
  /** The endpoint of the list, and the call of it. */
  list: ApiRouteName;
  load: (request: PageRequest<Status, Sort>) => Promise<{ data: Row[]; headers: Headers }>;
  statuses: readonly Status[];
  /** The first one is the default. */
  sorts: readonly [Sort, ...Sort[]];
  /** The endpoint that exports the rows of the same filter. */
  exports?: ApiRouteName;
};

type TablePage<Row> = { rows: Row[]; total: number; next: string | undefined };

/** A table of the API. Its filter and sort order are stored in the URL. */
export type Table<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<TablePage<Row>>>;
  status: string;
  statuses: readonly string[];
  setStatus: (status: string) => void;
  sort: string;
  sorts: readonly string[];
  setSort: (sort: string) => void;
  isFiltered: boolean;
  clear: () => void;
  exportUrl: string | undefined;
};

const pageRows = 50;
const all = 'all';

/** One of several texts; undefined for any other one. */
const pick = <T extends string>(choices: readonly T[], text: string) => choices.find((choice) => choice === text);

export function useTable<Row, Status extends string, Sort extends string>(
  options: TableOptions<Row, Status, Sort>,
): Table<Row> {
  const { list, load, statuses, sorts, exports } = options;
  const [params, setParams] = useSearchParams();
  const choices = [all, ...statuses] as const;
  const [status, setStatus] = useSearchParam<typeof all | Status>({ name: 'status', choices, fallback: all });
  const [sort, setSort] = useSearchParam<Sort>({ name: 'sort', choices: sorts, fallback: sorts[0] });
  const search = params.get(searchName) ?? '';
  const filter = { search: search || undefined, status: pick(statuses, status), sort };
  const query = useInfiniteQuery({
    queryKey: [apiRoutes[list].path, filter],
    queryFn: async ({ pageParam: cursor, signal }): Promise<TablePage<Row>> => {
      const { data: rows, headers } = await load({ query: { ...filter, cursor, limit: pageRows }, signal });
      const next = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
      return { rows, next, total: Number(headers.get('x-total-count') ?? rows.length) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
  const clear = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of [searchName, 'status']) after.delete(name);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    query,
    status,
    statuses: choices,
    setStatus: (chosen) => setStatus(pick(choices, chosen) ?? all),
    sort,
    sorts,
    setSort: (chosen) => setSort(pick(sorts, chosen) ?? sorts[0]),
    isFiltered: search !== '' || status !== all,
    clear,
    exportUrl: exports && routeUrl(exports, { query: filter }),
  };
}
