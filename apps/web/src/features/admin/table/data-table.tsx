import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { statusClassNames } from '@uprez/contracts/texts/admin/access-log';
import { auditGroups } from '@uprez/contracts/texts/admin/audit-actions';
import { Columns3 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { adminMessages } from '../messages.ts';
import { type BulkAction, BulkBar, useSelection } from './bulk-bar.tsx';
import { ExportLinks, PageFooter } from './paged-list.tsx';
import { type RowsProps, TableRows } from './table-rows.tsx';
import { allChoices, type Column, pageSizes, type Table } from './use-table.ts';

const text = adminMessages.table;

type DataTableProps<Row> = Omit<RowsProps<Row>, 'caption'> & {
  text: {
    /** Description of the rows for screen readers. */
    caption: string;
    /** Label of the search field. By default, the label for searching accounts. */
    search?: string;
    empty: { title: string; text: string };
  };
  /** Filter labels that override the shared labels. */
  filterTexts?: FilterTexts;
  /** Additional filters, shown after the select fields. */
  filters?: ReactNode;
  /** Renders the rows in place of the table. */
  cards?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** Actions for the selected rows. If it's empty, rows can't be selected. */
  bulk?: readonly BulkAction<Row>[] | undefined;
};

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { text: texts, table, filterTexts, filters, cards, bulk = [], columns, ...rest } = props;
  const selection = useSelection(table.query.data?.pages.flatMap((page) => page.rows) ?? []);
  const action = (
    <Button look="secondary" onClick={table.clear}>
      {text.clear}
    </Button>
  );
  const emptyState = table.isFiltered ? { ...text.noMatch, action } : texts.empty;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TableToolbar table={table} columns={columns} search={texts.search} filterTexts={filterTexts}>
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
                  caption={texts.caption}
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

const choiceNames: Record<string, string> = {
  ...text.statuses,
  ...text.jobViews,
  visitor: text.visitors,
  ...Object.fromEntries(Object.entries(auditGroups).map(([group, { name }]) => [group, name])),
  ...statusClassNames,
  ...Object.fromEntries(Object.entries(currentPlans).map(([tier, { name }]) => [tier, name])),
};
/** Labels for filters, by query parameter. */
type FilterTexts = Record<string, { label: string; all: string; names?: Record<string, string> }>;
const sharedTexts: FilterTexts = {
  ...text.filters,
  role: { ...text.filters.role, names: adminMessages.roles },
};
const nameOf = (text: FilterTexts[string] | undefined, choice: string): string | undefined =>
  choice === allChoices ? text?.all : (text?.names ?? choiceNames)[choice];

type TableToolbarProps<Row> = {
  table: Table<Row>;
  columns: readonly Column<Row>[];
  search: string | undefined;
  filterTexts?: FilterTexts | undefined;
  children?: ReactNode;
};

function TableToolbar<Row>({
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

type TableViewProps<Row> = { table: Table<Row>; columns: readonly Column<Row>[] };

/** Returns the sort options for the view popover, because column headers have no sort buttons below 640 px. */
const listSorts = <Row,>({ table, columns }: TableViewProps<Row>) =>
  table.sorts.flatMap((value) => {
    const column = columns.find(({ sort }) => sort !== undefined && [sort, `-${sort}`].includes(value));
    const order = value.startsWith('-') ? text.descending : text.ascending;
    return column ? [{ value, label: order(column.name) }] : [];
  });

/**
 * Keeps the choices in local state, so the controls respond immediately. The URL changes in a transition, which takes
 * as long as the table needs to render.
 */
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

function TableView<Row>(props: TableViewProps<Row>) {
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
