import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { adminMessages } from '../messages.ts';
import { type BulkAction, BulkBar } from './bulk-bar.tsx';
import { PageFooter } from './page-footer.tsx';
import { type RowsProps, TableRows } from './table-rows.tsx';
import { type FilterTexts, TableToolbar } from './table-toolbar.tsx';
import { useSelection } from './use-selection.ts';

const text = adminMessages.table;

type DataTableProps<Row> = RowsProps<Row> & {
  empty: { title: string; text: string };
  /** Label of the search field, if it isn't for accounts. */
  search?: string;
  /** Texts of filters that differ from those of other tables. */
  filterTexts?: FilterTexts;
  /** More filters, after those with choices. */
  filters?: ReactNode;
  /** Shows the rows in another way than as a table. */
  cards?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** Actions for the selected rows. Without any, rows can't be selected. */
  bulk?: readonly BulkAction<Row>[] | undefined;
};

/** A table with search, filters, sort orders, columns, selection, and exports. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { table, empty, search, filterTexts, filters, cards, bulk = [], columns, ...rest } = props;
  const selection = useSelection(table.query.data?.pages.flatMap((page) => page.rows) ?? []);
  const action = (
    <Button look="secondary" onClick={table.clear}>
      {text.clear}
    </Button>
  );
  const emptyState = table.isFiltered ? { ...text.noMatch, action } : empty;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TableToolbar table={table} columns={columns} search={search} filterTexts={filterTexts}>
        {filters}
      </TableToolbar>
      {selection.rows.length > 0 && <BulkBar selection={selection} actions={bulk} />}
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
              {cards ? (
                cards(rows)
              ) : (
                <TableRows
                  {...rest}
                  table={table}
                  columns={columns.filter(({ id }) => table.shown.includes(id))}
                  rows={rows}
                  selection={bulk.length > 0 ? selection : undefined}
                />
              )}
              <PageFooter query={table.query} shown={rows.length} total={total} />
            </>
          );
        }}
      </QueryView>
    </div>
  );
}
