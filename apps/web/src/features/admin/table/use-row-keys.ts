import { useRef } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';

/** Lets `j` and `k` move the focus between the rows of a table. Returns the ref of the table. */
export function useRowKeys() {
  const table = useRef<HTMLTableElement>(null);
  const move = (by: 1 | -1) => {
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])];
    const current = rows.findIndex((row) => row.contains(document.activeElement));
    const next = current < 0 ? rows.at(by === 1 ? 0 : -1) : rows[Math.min(Math.max(current + by, 0), rows.length - 1)];
    next?.focus();
  };
  useShortcut('tableNext', () => move(1));
  useShortcut('tablePrevious', () => move(-1));
  return table;
}
