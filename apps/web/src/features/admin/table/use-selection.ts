import { useState } from 'react';

/** The rows of a table that are selected. Rows that are no longer listed aren't. */
export type Selection<Row> = {
  rows: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  clear: () => void;
};

export function useSelection<Row extends { id: string }>(listed: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const rows = listed.filter(({ id }) => ids.has(id));
  const toggle = ({ id }: Row) =>
    setIds((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  return {
    rows,
    has: ({ id }) => ids.has(id),
    toggle,
    toggleAll: () => setIds(new Set(rows.length === listed.length ? [] : listed.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}
