import type { QueryKey } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';

const text = adminMessages.table;

/**
 * An action for all selected rows. `run` resolves to the rows that stay selected: all rows if the action was canceled,
 * otherwise the rows that failed.
 */
export type BulkAction<Row> = {
  label: string;
  icon: LucideIcon;
  run: (rows: readonly Row[]) => Promise<readonly Row[]>;
};
type BulkBarProps<Row> = { selection: RowSelection<Row>; actions: readonly BulkAction<Row>[] };

export function BulkBar<Row>({ selection, actions }: BulkBarProps<Row>) {
  const [running, setRunning] = useState<string>();
  const run = async (action: BulkAction<Row>) => {
    setRunning(action.label);
    selection.select(await action.run(selection.rows));
    setRunning(undefined);
  };
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-sunken px-3 py-2"
    >
      <span className="mr-auto text-sm tabular-nums">{text.selected(selection.rows.length)}</span>
      {actions.map((action) => (
        <Button
          key={action.label}
          look="secondary"
          size="small"
          pending={running === action.label}
          onClick={() => void run(action)}
        >
          <action.icon aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
          {action.label}
        </Button>
      ))}
      <Button look="ghost" size="small" onClick={selection.clear}>
        {text.unselect}
      </Button>
    </div>
  );
}

export type Failure<Row> = { row: Row; error: unknown };

/** Calls `call` for each row, one after another. Returns the failed rows and their errors. */
export async function callEach<Row>(
  rows: readonly Row[],
  call: (row: Row) => Promise<unknown>,
): Promise<Failure<Row>[]> {
  const failures: Failure<Row>[] = [];
  for (const row of rows) {
    try {
      await call(row);
    } catch (error) {
      failures.push({ row, error });
    }
  }
  return failures;
}

type BulkOptions<Row> = {
  call: (row: Row) => Promise<unknown>;
  done: (count: number) => string;
  /** Query keys to refetch, even if calls failed. */
  refreshes?: readonly QueryKey[];
};

/**
 * Calls `call` for each row, one after another. Shows a toast with the count of completed rows. If rows failed, shows
 * how many, and the first error. Returns the failed rows, which stay selected.
 */
export async function runBulk<Row>(
  rows: readonly Row[],
  { call, done, refreshes = [] }: BulkOptions<Row>,
): Promise<readonly Row[]> {
  const failures = await callEach(rows, call);
  const [first] = failures;
  if (first) showErrorToast(adminMessages.table.bulkFailed(failures.length, rows.length), first.error);
  else showToast({ title: done(rows.length) });
  await Promise.all(refreshes.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return failures.map(({ row }) => row);
}

/** Rows that are no longer listed aren't included. */
export type RowSelection<Row> = {
  rows: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  select: (rows: readonly Row[]) => void;
  clear: () => void;
};

export function useSelection<Row extends { id: string }>(listed: readonly Row[]): RowSelection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const rows = listed.filter(({ id }) => ids.has(id));
  const select = (chosen: readonly Row[]) => setIds(new Set(chosen.map(({ id }) => id)));
  const toggle = ({ id }: Row) =>
    setIds((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  return {
    rows,
    has: ({ id }) => ids.has(id),
    toggle,
    toggleAll: () => select(rows.length === listed.length ? [] : listed),
    select,
    clear: () => select([]),
  };
}
