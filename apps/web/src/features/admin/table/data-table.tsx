import { formatCount } from '@uprez/contracts/texts/format';
import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { adminMessages } from '../messages.ts';
import { TableToolbar } from './table-toolbar.tsx';
import { useRowKeys } from './use-row-keys.ts';
import type { Table } from './use-table.ts';

const text = adminMessages.table;

export type Column<Row> = {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Its sort order in the API, without direction. */
  sort?: string;
  isNumeric?: boolean;
};

type DataTableProps<Row> = {
  /** What the rows are, for screen readers. */
  caption: string;
  table: Table<Row>;
  /** The first one names the row. */
  columns: readonly Column<Row>[];
  /** A menu of the row. */
  actions?: (row: Row) => ReactNode;
  empty: { title: string; text: string };
  /** Label of the search field, if it isn't for accounts. */
  search?: string;
};

function HeaderCell<Row>({ column, table }: { column: Column<Row>; table: Table<Row> }) {
  const { name, sort, isNumeric } = column;
  const [ascending, descending] = [table.sorts.find((one) => one === sort), `-${sort}`];
  const isSorted = sort !== undefined && (table.sort === ascending || table.sort === descending);
  const Arrow = table.sort === ascending ? ArrowUp : ArrowDown;
  const next = table.sort === descending ? ascending : table.sorts.find((one) => one === descending);
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (table.sort === ascending ? 'ascending' : 'descending') : undefined}
      className={clsx('whitespace-nowrap px-3 py-2 font-normal', isNumeric && 'text-right')}
    >
      {sort && next ? (
        <button
          type="button"
          title={text.sortBy(name)}
          onClick={() => table.setSort(next)}
          className={clsx('-mx-1 inline-flex min-h-6 items-center gap-1 rounded-small px-1', isSorted && 'text-ink')}
        >
          {name}
          {isSorted && <Arrow aria-hidden="true" strokeWidth={1.75} className="size-3" />}
        </button>
      ) : (
        name
      )}
    </th>
  );
}

type RowsProps<Row> = Pick<DataTableProps<Row>, 'caption' | 'table' | 'columns' | 'actions'> & { rows: readonly Row[] };

/** Below 640 px, each row is a card: its first column is the title, and the others have their name beside them. */
function Rows<Row extends { id: string }>({ caption, table, columns, actions, rows }: RowsProps<Row>) {
  const keys = useRowKeys();
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface sm:overflow-x-auto">
      <table ref={keys} className="block w-full text-sm sm:table">
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only sm:not-sr-only sm:table-header-group">
          <tr className="border-line border-b text-left text-muted text-xs">
            {columns.map((column) => (
              <HeaderCell key={column.name} column={column} table={table} />
            ))}
            {actions && (
              <th scope="col" className="px-3 py-2">
                <span className="sr-only">{text.actionsColumn}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line sm:table-row-group">
          {rows.map((row) => (
            <tr
              key={row.id}
              tabIndex={-1}
              className="relative grid gap-1 p-3 -outline-offset-2 hover:bg-sunken sm:table-row sm:p-0"
            >
              {columns.map(({ name, cell, isNumeric }, index) => (
                <td
                  key={name}
                  className={clsx(
                    'flex min-w-0 items-baseline justify-between gap-3 sm:table-cell sm:px-3 sm:py-2.5',
                    index === 0 ? 'pr-10 sm:pr-3' : 'text-right sm:text-left',
                    isNumeric && 'tabular-nums sm:text-right',
                  )}
                >
                  {index > 0 && (
                    <span aria-hidden="true" className="text-muted text-xs sm:hidden">
                      {name}
                    </span>
                  )}
                  <span className="min-w-0 wrap-anywhere">{cell(row)}</span>
                </td>
              ))}
              {actions && (
                <td className="absolute top-1.5 right-1.5 sm:static sm:table-cell sm:w-px sm:px-1.5 sm:py-1">
                  {actions(row)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A table with search, filter, sort orders, and an export. */
export function DataTable<Row extends { id: string }>({ table, empty, search, ...rest }: DataTableProps<Row>) {
  const action = (
    <Button look="secondary" onClick={table.clear}>
      {text.clear}
    </Button>
  );
  const emptyState = table.isFiltered ? { ...text.noMatch, action } : empty;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TableToolbar table={table} search={search} />
      <QueryView
        query={table.query}
        skeleton={<Skeleton className="h-96 rounded-card" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<EmptyState {...emptyState} illustration={<NoActivityArt />} />}
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          const total = Math.max(pages[0]?.total ?? 0, rows.length);
          return (
            <>
              <Rows {...rest} table={table} rows={rows} />
              <p className="text-center text-muted text-xs tabular-nums">
                {text.shown(formatCount(rows.length), formatCount(total))}
              </p>
              <MoreButton query={table.query} />
            </>
          );
        }}
      </QueryView>
    </div>
  );
}
