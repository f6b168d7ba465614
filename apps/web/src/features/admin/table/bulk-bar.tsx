import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';
import type { Selection } from './use-selection.ts';

const text = adminMessages.table;

/**
 * An action for all selected rows. `run` resolves to the rows that stay selected: all if the action was canceled,
 * otherwise those that failed.
 */
export type BulkAction<Row> = {
  label: string;
  icon: LucideIcon;
  run: (rows: readonly Row[]) => Promise<readonly Row[]>;
};
type BulkBarProps<Row> = { selection: Selection<Row>; actions: readonly BulkAction<Row>[] };

/** Shows the number of selected rows and the bulk actions. */
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
