import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { adminMessages } from '../messages.ts';
import type { Column } from './column.ts';
import type { Table } from './use-table.ts';

const text = adminMessages.table;

/**
 * The header of a column. A press sorts by it, descending first, then ascending. Below 640 px, where headers are only for
 * screen readers, it has no button: the popover of the view sorts.
 */
export function HeaderCell<Row>({ column, table }: { column: Column<Row>; table: Table<Row> }) {
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
