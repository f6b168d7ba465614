import clsx from 'clsx';
import type { ReactNode } from 'react';
import { analyticsMessages } from './messages.ts';

type ReportColumn<Row> = { name: string; cell: (row: Row) => ReactNode; isNumeric?: boolean };

type ReportTableProps<Row> = {
  caption: string;
  rows: readonly Row[];
  /** The first column contains the row headers. */
  columns: readonly ReportColumn<Row>[];
  keyOf: (row: Row) => string;
};

/** A table that shows all of its rows, for a small number of rows. */
export function ReportTable<Row>({ caption, rows, columns, keyOf }: ReportTableProps<Row>) {
  return (
    // Scrollable with the keyboard on small screens.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus.
    <section aria-label={analyticsMessages.table(caption)} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted">
            {columns.map(({ name, isNumeric }) => (
              <th
                key={name}
                scope="col"
                className={clsx('px-2 py-1.5 font-normal whitespace-nowrap', isNumeric ? 'text-right' : 'text-left')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumeric }, index) => {
                const style = clsx('px-2 py-1.5', isNumeric ? 'text-right whitespace-nowrap' : 'text-left');
                return index === 0 ? (
                  <th key={name} scope="row" className={clsx(style, 'font-normal')}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} className={style}>
                    {cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
