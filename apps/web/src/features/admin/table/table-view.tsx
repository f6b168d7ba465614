import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { adminMessages } from '../messages.ts';
import type { Column } from './column.ts';
import { pageSizes, type Table } from './use-table.ts';

const text = adminMessages.table;

type TableViewProps<Row> = { table: Table<Row>; columns: readonly Column<Row>[] };

/** The sort orders of the columns. Below 640 px, their headers have no buttons. */
const listSorts = <Row,>({ table, columns }: TableViewProps<Row>) =>
  table.sorts.flatMap((value) => {
    const column = columns.find(({ sort }) => sort !== undefined && [sort, `-${sort}`].includes(value));
    const order = value.startsWith('-') ? text.descending : text.ascending;
    return column ? [{ value, label: order(column.name) }] : [];
  });

/** The choices change at once. The URL follows in a transition, which can take as long as the table needs to render. */
function ViewChoices<Row>({ table, columns }: TableViewProps<Row>) {
  const [shown, setShown] = useState(table.shown);
  const [pageRows, setPageRows] = useState(table.pageRows);
  const [sort, setSort] = useState(table.sort);
  const sorts = listSorts({ table, columns });
  const toggle = (column: string) => {
    const isShown = (one: string) => shown.includes(one) !== (one === column);
    const chosen = table.columns.filter(isShown);
    setShown(chosen);
    table.setColumns(chosen);
  };
  return (
    <div className="grid gap-4">
      {sorts.length > 1 && (
        <Select
          label={text.sort}
          value={sort}
          onChange={(chosen) => {
            setSort(chosen);
            table.setSort(chosen);
          }}
          options={sorts}
        />
      )}
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-muted text-xs">{text.columns}</legend>
        {columns.slice(1).map(({ id, name }) => (
          <Checkbox key={id} label={name} checked={shown.includes(id)} onChange={() => toggle(id)} />
        ))}
      </fieldset>
      <Segmented
        legend={text.pageRows}
        value={String(pageRows)}
        onChange={(rows) => {
          setPageRows(Number(rows));
          table.setPageRows(Number(rows));
        }}
        options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
      />
    </div>
  );
}

/** The sort order, which columns are shown, and how many rows are loaded at once. */
export function TableView<Row>(props: TableViewProps<Row>) {
  const trigger = (
    <Button look="secondary">
      <Columns3 aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.view}
    </Button>
  );
  return (
    <Popover label={text.view} trigger={trigger}>
      <ViewChoices {...props} />
    </Popover>
  );
}
