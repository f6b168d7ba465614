import { Columns3 } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { adminMessages } from '../messages.ts';
import type { Column } from './column.ts';
import { pageSizes, type Table } from './use-table.ts';

const text = adminMessages.table;

/** Which columns are shown, and how many rows are loaded at once. */
export function TableView<Row>({ table, columns }: { table: Table<Row>; columns: readonly Column<Row>[] }) {
  const trigger = (
    <Button look="secondary">
      <Columns3 aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.view}
    </Button>
  );
  return (
    <Popover label={text.view} trigger={trigger}>
      <div className="grid gap-4">
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-muted text-xs">{text.columns}</legend>
          {columns.slice(1).map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={table.shown.includes(id)}
              onChange={() => table.toggleColumn(id)}
            />
          ))}
        </fieldset>
        <Segmented
          legend={text.pageRows}
          value={String(table.pageRows)}
          onChange={(rows) => table.setPageRows(Number(rows))}
          options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
        />
      </div>
    </Popover>
  );
}
