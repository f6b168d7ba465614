import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { adminMessages } from '../messages.ts';
import type { RowSelection } from './bulk-bar.tsx';
import type { Column, Table } from './use-table.ts';

const text = adminMessages.table;

export type RowsProps<Row> = {
  /** Description of the rows for screen readers. */
  caption: string;
  table: Table<Row>;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Called on Enter or a click on a row. */
  onOpen?: ((row: Row) => void) | undefined;
};

type Props<Row> = RowsProps<Row> & { rows: readonly Row[]; selection: RowSelection<Row> | undefined };

/**
 * Table of rows. Below 640 px, each row is a card: the first column is the title, and the other columns are labeled
 * with their names.
 */
export function TableRows<Row extends { id: string }>({ selection, onOpen, ...props }: Props<Row>) {
  const { caption, table, columns, actions, rows } = props;
  const select = (index: number) => {
    const row = rows[index];
    if (row) selection?.toggle(row);
  };
  const keys = useRowKeys({ count: rows.length, onSelect: selection && select });
  const selectAll = selection && (
    <Checkbox
      label={<span className="sm:sr-only">{text.selectAll}</span>}
      checked={rows.length > 0 && selection.rows.length === rows.length}
      onChange={selection.toggleAll}
    />
  );
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface sm:max-h-[calc(100dvh-8rem)] sm:overflow-auto">
      {selectAll && <div className="border-line border-b p-3 sm:hidden">{selectAll}</div>}
      <table ref={keys} className="block w-full text-sm sm:table">
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only bg-surface sm:not-sr-only sm:sticky sm:top-0 sm:z-10 sm:table-header-group">
          <tr className="border-line border-b text-left text-muted text-xs">
            {selection && (
              <th scope="col" className="py-2 pl-3">
                <span className="sr-only sm:hidden">{text.selection}</span>
                <span className="max-sm:hidden">{selectAll}</span>
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} table={table} />
            ))}
            {actions && (
              <th scope="col" className="px-3 py-2">
                {renderHiddenLabel(text.actionsColumn)}
              </th>
            )}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line sm:table-row-group">
          {rows.map((row, position) => (
            <tr
              key={row.id}
              tabIndex={-1}
              data-selected={selection?.has(row) || undefined}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row);
              }}
              onClick={(event) => {
                if (isForRow(event)) onOpen?.(row);
              }}
              className={clsx(
                'relative grid gap-1 p-3 -outline-offset-2 hover:bg-sunken data-selected:bg-sunken sm:table-row sm:p-0',
                onOpen && 'cursor-pointer',
              )}
            >
              {selection && (
                <td className="sm:table-cell sm:w-px sm:py-2.5 sm:pl-3">
                  <Checkbox
                    label={renderHiddenLabel(text.selectRow(position + 1))}
                    checked={selection.has(row)}
                    onChange={() => selection.toggle(row)}
                  />
                </td>
              )}
              {columns.map(({ id, name, cell, isNumeric }, index) => (
                <td
                  key={id}
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

const controlSelector = 'a, button, input, label, [role="combobox"]';

/** Whether a click targets the row itself, not a control in it, its menu or dialog, or a text selection. */
function isForRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const isInside = target instanceof Element && currentTarget.contains(target) && !target.closest(controlSelector);
  return isInside && !window.getSelection()?.toString();
}

const renderHiddenLabel = (label: string) => <span className="sr-only">{label}</span>;

/** Lets `j` and `k` move the focus between the rows of a table, and `x` select the row. Returns the ref of the table. */
function useRowKeys({ count, onSelect }: { count: number; onSelect?: ((index: number) => void) | undefined }) {
  const table = useRef<HTMLTableElement>(null);
  const listRows = () => [...(table.current?.tBodies[0]?.rows ?? [])];
  const findCurrent = () => listRows().findIndex((row) => row.contains(document.activeElement));
  const move = (by: 1 | -1) => {
    const rows = listRows();
    const current = findCurrent();
    const next = current < 0 ? rows.at(by === 1 ? 0 : -1) : rows[Math.min(Math.max(current + by, 0), rows.length - 1)];
    next?.focus();
  };
  useShortcut('tableNext', () => move(1), count > 0);
  useShortcut('tablePrevious', () => move(-1), count > 0);
  const select = () => {
    const current = findCurrent();
    if (current >= 0) onSelect?.(current);
  };
  useShortcut('tableSelect', select, onSelect !== undefined && count > 0);
  return table;
}

/**
 * Header of a column. Clicking it sorts by the column, first descending, then ascending. Below 640 px, where headers
 * are only for screen readers, the header has no button, and the view popover sets the sort order.
 */
function HeaderCell<Row>({ column, table }: { column: Column<Row>; table: Table<Row> }) {
  const { name, sort, isNumeric } = column;
  const [ascending, descending] = [table.sorts.find((one) => one === sort), `-${sort}`];
  const isSorted = sort !== undefined && (table.sort === ascending || table.sort === descending);
  const Arrow = table.sort === ascending ? ArrowUp : ArrowDown;
  const next = table.sort === descending ? ascending : table.sorts.find((one) => one === descending);
  const isSortable = sort !== undefined && next !== undefined;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (table.sort === ascending ? 'ascending' : 'descending') : undefined}
      className={clsx('whitespace-nowrap px-3 py-2 font-normal', isNumeric && 'text-right')}
    >
      <span className={clsx(isSortable && 'sm:hidden')}>{name}</span>
      {isSortable && (
        <button
          type="button"
          title={text.sortBy(name)}
          onClick={() => table.setSort(next)}
          className={clsx(
            '-mx-1 inline-flex min-h-6 items-center gap-1 rounded-small px-1 max-sm:hidden',
            isSorted && 'text-ink',
          )}
        >
          {name}
          {isSorted && <Arrow aria-hidden="true" strokeWidth={1.75} className="size-3" />}
        </button>
      )}
    </th>
  );
}
