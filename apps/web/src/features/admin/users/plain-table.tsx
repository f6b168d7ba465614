import type { UseQueryResult } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { QueryView } from '../../../ui/feedback/query-view.tsx';

export type PlainColumn<Row> = { name: string; cell: (row: Row) => ReactNode };
type PlainTableProps<Row> = {
  caption: string;
  /** The first column names the row. */
  columns: readonly PlainColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
};

/** A short table without search or pages. Below 640 px, each row is a card. */
export function PlainTable<Row>({ caption, columns, rows, rowKey }: PlainTableProps<Row>) {
  return (
    <table className="block w-full text-sm sm:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="border-line border-b text-left text-muted text-xs">
          {columns.map(({ name }) => (
            <th key={name} scope="col" className="py-2 pr-4 font-normal last:pr-0">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {rows.map((row) => (
          <tr key={rowKey(row)} className="grid gap-1 py-3 sm:table-row">
            {columns.map(({ name, cell }, index) => (
              <td
                key={name}
                className={clsx(
                  'flex min-w-0 items-baseline justify-between gap-3 sm:table-cell sm:py-2.5 sm:pr-4 sm:last:pr-0',
                  index > 0 && 'text-right sm:text-left',
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
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type QueryTableProps<Row> = Omit<PlainTableProps<Row>, 'rows'> & {
  query: UseQueryResult<Row[]>;
  skeleton: ReactNode;
  empty?: ReactNode;
};

/** A short table of the rows that a query returns. */
export const QueryTable = <Row,>({ query, skeleton, empty, ...table }: QueryTableProps<Row>) => (
  <QueryView query={query} skeleton={skeleton} empty={empty}>
    {(rows) => <PlainTable {...table} rows={rows} />}
  </QueryView>
);
