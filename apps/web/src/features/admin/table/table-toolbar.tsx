import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { statusClassNames } from '@uprez/contracts/texts/access-log';
import { auditGroups } from '@uprez/contracts/texts/audit-actions';
import { type ReactNode, useRef } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { adminMessages } from '../messages.ts';
import type { Column } from './column.ts';
import { ExportLinks } from './export-links.tsx';
import { TableView } from './table-view.tsx';
import { allChoices, type Table } from './use-table.ts';

const text = adminMessages.table;
/** Labels of choices. */
const names: Record<string, string> = {
  ...text.statuses,
  ...text.jobViews,
  visitor: text.visitors,
  ...Object.fromEntries(Object.entries(auditGroups).map(([group, { name }]) => [group, name])),
  ...statusClassNames,
  ...Object.fromEntries(Object.entries(currentPlans).map(([tier, { name }]) => [tier, name])),
};
/** Labels of filters, by their parameter. */
export type FilterTexts = Record<string, { label: string; all: string; names?: Record<string, string> }>;
const sharedTexts: FilterTexts = {
  ...text.filters,
  role: { ...text.filters.role, names: adminMessages.roles },
};
const nameOf = (text: FilterTexts[string] | undefined, choice: string): string | undefined =>
  choice === allChoices ? text?.all : (text?.names ?? names)[choice];

type TableToolbarProps<Row> = {
  table: Table<Row>;
  columns: readonly Column<Row>[];
  /** Label of the search field, if it isn't for accounts. */
  search?: string | undefined;
  /** Texts of filters that differ from those of other tables. */
  filterTexts?: FilterTexts | undefined;
  /** More filters. */
  children?: ReactNode;
};

/** Search, filters, columns, and exports of a table. */
export function TableToolbar<Row>({
  table,
  columns,
  search: searchLabel = text.search,
  filterTexts = {},
  children,
}: TableToolbarProps<Row>) {
  const search = useRef<HTMLInputElement>(null);
  useShortcut('tableSearch', () => search.current?.focus());
  const texts = { ...sharedTexts, ...filterTexts };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="w-72 max-sm:w-full">
        <SearchField ref={search} label={searchLabel} maxLength={limits.searchLength} />
      </div>
      {table.filters.map(({ name, value, choices, set }) => (
        <div key={name} className="w-44 max-sm:min-w-32 max-sm:flex-1">
          <Select
            label={texts[name]?.label ?? name}
            labelHidden
            value={value}
            onChange={set}
            options={choices.map((choice) => ({
              value: choice,
              label: nameOf(texts[name], choice) ?? choice,
            }))}
          />
        </div>
      ))}
      {children}
      <span className="flex flex-wrap gap-2 sm:ml-auto">
        <TableView table={table} columns={columns} />
        {table.exportUrl && <ExportLinks url={table.exportUrl} isLoaded={table.query.data !== undefined} />}
      </span>
    </div>
  );
}
