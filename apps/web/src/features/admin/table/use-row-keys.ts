import { useRef } from 'react';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';

/** Lets `j` and `k` move the focus between the rows of a table, and `x` select the row. Returns the ref of the table. */
export function useRowKeys({ count, onSelect }: { count: number; onSelect?: ((index: number) => void) | undefined }) {
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
