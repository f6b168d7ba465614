import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { type AdminRouteName, adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { ExportFormat } from '@uprez/contracts/policy/admin/tables';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { searchName } from '../../../ui/controls/search-field.tsx';
import { readTablePage, type TablePage } from './paged-list.tsx';

export type Column<Row, Id extends string = string> = {
  /** Name in the URL and in exports. */
  id: Id;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Sort key in the API, without direction. */
  sort?: string;
  isNumeric?: boolean;
};

type Choices = Record<string, readonly string[]>;
type ChosenFilters<Filters extends Choices> = { [Name in keyof Filters]: Filters[Name][number] | undefined };
type Values<Name extends string> = { [Key in Name]?: string | undefined };
type PageRequest<Filters extends Choices, Sort, Value extends string> = {
  query: ChosenFilters<Filters> &
    Values<Value> & { search: string | undefined; sort: Sort; cursor: string | undefined; limit: number };
  signal: AbortSignal;
};

type Declaration<Filters extends Choices, Sort extends string> = {
  list: AdminRouteName;
  exports?: AdminRouteName;
  columns: readonly string[];
  filters: Filters;
  sorts: readonly [Sort, ...Sort[]];
};

type TableOptions<Row, Filters extends Choices, Sort extends string, Value extends string> = {
  load: (request: PageRequest<Filters, Sort, NoInfer<Value>>) => Promise<{ data: Row[]; headers: Headers }>;
  params?: object;
  /** Filter parameters with free values, such as a day. */
  values?: readonly Value[];
  /** Values that the page sets. They aren't in the URL. */
  fixed?: Values<Value>;
  retry?: (failures: number, error: Error) => boolean;
  /** Returns the polling interval in milliseconds, or false if the rows don't change on their own. */
  refresh?: (rows: readonly Row[]) => number | false;
};

type LoadedQuery<Row> = { state: { data: InfiniteData<TablePage<Row>> | undefined } };

type Filter = { name: string; value: string; choices: readonly string[]; set: (value: string) => void };

/** State of a table backed by an API list. Its filters, sort order, columns, and page size are stored in the URL. */
export type Table<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<TablePage<Row>>>;
  filters: readonly Filter[];
  /** Filter values in the URL. `setValues` changes the given values, and removes those that are undefined. */
  values: Readonly<Record<string, string | undefined>>;
  setValues: (values: Record<string, string | undefined>) => void;
  sort: string;
  sorts: readonly string[];
  setSort: (sort: string) => void;
  columns: readonly string[];
  /** The visible columns, in table order. Always includes the first column. */
  shown: readonly string[];
  setColumns: (shown: readonly string[]) => void;
  pageRows: number;
  setPageRows: (rows: number) => void;
  isFiltered: boolean;
  clear: () => void;
  exportUrl: ((format: ExportFormat) => string) | undefined;
};

/** Choice that removes a filter. Differs from every filter value. */
export const allChoices = '*';
export const pageSizes = [25, 50, 100] as const;
const defaultPageSize = 50;

const findChoice = <T extends string>(choices: readonly T[], text: string | null) =>
  choices.find((choice) => choice === text);

/** Setting a parameter to undefined removes it. */
function useParams() {
  const [params, setParams] = useSearchParams();
  const change = (values: Record<string, string | undefined>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value === undefined) after.delete(name);
          else after.set(name, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return { params, change };
}

const unsetValues = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

/** Reads the filter values from the URL, except those that the page sets. */
function readValues<Value extends string>(
  { values = [], fixed = {} }: { values?: readonly Value[]; fixed?: Values<Value> },
  params: URLSearchParams,
): Values<Value> {
  const own = values.filter((name) => !Object.hasOwn(fixed, name));
  return Object.fromEntries(own.map((name) => [name, params.get(name) || undefined])) as Values<Value>;
}

function makeView(columns: readonly string[], { params, change }: ReturnType<typeof useParams>) {
  const shown = parseColumns(columns, params.get('columns'));
  return {
    columns,
    shown,
    setColumns: (chosen: readonly string[]) => change({ columns: formatColumns(columns, chosen) }),
    pageRows: pageSizes.find((size) => String(size) === params.get('rows')) ?? defaultPageSize,
    setPageRows: (rows: number) => change({ rows: rows === defaultPageSize ? undefined : String(rows) }),
  };
}

export function useTable<Row, const Filters extends Choices, Sort extends string, const Value extends string = never>(
  { list, exports, columns, filters, sorts }: Declaration<Filters, Sort>,
  options: TableOptions<Row, Filters, Sort, Value>,
): Table<Row> {
  const { load, params: pathParams = {}, retry, refresh, fixed } = options;
  const url = useParams();
  const { params, change } = url;
  const entries = Object.entries(filters).map(
    ([name, choices]) => [name, findChoice(choices, params.get(name))] as const,
  );
  const sort = findChoice(sorts, params.get('sort')) ?? sorts[0];
  const view = makeView(columns, url);
  const search = params.get(searchName) || undefined;
  const values = readValues(options, params);
  const filter = { ...(Object.fromEntries(entries) as ChosenFilters<Filters>), ...values, ...fixed, search, sort };
  const query = useInfiniteQuery({
    queryKey: [routeUrl(adminRoutes[list], { params: pathParams }), filter, view.pageRows],
    queryFn: async ({ pageParam: cursor, signal }): Promise<TablePage<Row>> =>
      readTablePage(await load({ query: { ...filter, cursor, limit: view.pageRows }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
    ...(retry && { retry }),
    refetchInterval: ({ state }: LoadedQuery<Row>) =>
      refresh?.(state.data?.pages.flatMap(({ rows }) => rows) ?? []) ?? false,
  });
  return {
    query,
    filters: entries.map(([name, value]) => ({
      name,
      value: value ?? allChoices,
      choices: [allChoices, ...(filters[name] ?? [])],
      set: (chosen) => change({ [name]: chosen === allChoices ? undefined : chosen }),
    })),
    values,
    setValues: change,
    sort,
    sorts,
    setSort: (chosen) => change({ sort: chosen === sorts[0] ? undefined : chosen }),
    ...view,
    isFiltered: [search, ...entries.map(([, value]) => value), ...Object.values(values)].some(Boolean),
    clear: () => change(unsetValues([searchName, ...entries.map(([name]) => name), ...Object.keys(values)])),
    exportUrl:
      exports &&
      ((format) =>
        routeUrl(adminRoutes[exports], { query: { ...filter, format, columns: formatColumns(columns, view.shown) } })),
  };
}

/**
 * Returns the columns that the URL parameter names, in table order, or all columns without the parameter. Always
 * includes the first column.
 */
export function parseColumns(columns: readonly string[], names: string | null): readonly string[] {
  if (names === null) return columns;
  const wanted = names.split(',');
  return columns.filter((column, index) => index === 0 || wanted.includes(column));
}

/** Formats the visible columns as a URL parameter. Returns undefined if all columns are shown. */
export const formatColumns = (columns: readonly string[], shown: readonly string[]): string | undefined =>
  shown.length === columns.length ? undefined : shown.join(',');
