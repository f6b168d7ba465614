import { useState } from 'react';

/** The selected rows of a table. Rows that are no longer listed aren't included. */
export type Selection<Row> = {
  rows: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  select: (rows: readonly Row[]) => void;
  clear: () => void;
};

export function useSelection<Row extends { id: string }>(listed: readonly Row[]): Selection<Row> {
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
