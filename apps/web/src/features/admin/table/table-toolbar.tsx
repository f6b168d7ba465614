import { limits } from '@uprez/contracts/policy/limits';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { adminMessages } from '../messages.ts';
import type { Table } from './use-table.ts';

const text = adminMessages.table;

const label = (status: string) =>
  status === 'all' ? text.all : (text.statuses[status as keyof typeof text.statuses] ?? status);

type TableToolbarProps = { table: Table<unknown>; search?: string | undefined };

/** Search, filter, and export of a table. */
export function TableToolbar({ table, search: searchLabel = text.search }: TableToolbarProps) {
  const search = useRef<HTMLInputElement>(null);
  const exportLink = useRef<HTMLAnchorElement>(null);
  useShortcut('tableSearch', () => search.current?.focus());
  useShortcut('tableExport', () => exportLink.current?.click(), table.exportUrl !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="w-72 max-sm:w-full">
        <SearchField ref={search} label={searchLabel} maxLength={limits.searchLength} />
      </div>
      <div className="w-44 max-sm:min-w-0 max-sm:flex-1">
        <Select
          label={text.status}
          labelHidden
          value={table.status}
          onChange={table.setStatus}
          options={table.statuses.map((value) => ({ value, label: label(value) }))}
        />
      </div>
      {table.exportUrl && (
        <a
          ref={exportLink}
          href={table.exportUrl}
          download
          className={buttonStyle({ look: 'secondary', className: 'sm:ml-auto' })}
        >
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.export}
        </a>
      )}
    </div>
  );
}
