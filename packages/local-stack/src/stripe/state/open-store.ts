import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableName, Tables } from './tables.ts';

type Rows = { [T in TableName]?: Map<string, Tables[T]> };

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the double's object store. Rows are replaced and never modified in place. Transactions are synchronous, so they
 * don't overlap.
 */
export function openStore(dataDir: string) {
  const journal = openJournal(dataDir);
  const rows: Rows = {};
  const rowsOf = <T extends TableName>(table: T): Map<string, Tables[T]> => (rows[table] ??= new Map());
  for (const { table, id, row } of journal.read()) setRow(rowsOf(table), id, row);
  journal.compact(listChanges(rows));
  let open: { changes: Change[]; undo: (() => void)[] } | undefined;

  const change = <T extends TableName>(table: T, id: string, row?: Tables[T]) => {
    if (!open) throw new Error('rows are written in a transaction');
    const previous = rowsOf(table).get(id);
    open.undo.push(() => setRow(rowsOf(table), id, previous));
    open.changes.push({ table, id, ...(row && { row }) });
    setRow(rowsOf(table), id, row);
  };
  return {
    get: <T extends TableName>(table: T, id: string): Tables[T] | undefined => rowsOf(table).get(id),
    /** Newest first, as in Stripe's lists. */
    list: <T extends TableName>(table: T): Tables[T][] => [...rowsOf(table).values()].reverse(),
    put: <T extends TableName>(table: T, row: Tables[T]): Tables[T] => {
      change(table, row.id, row);
      return row;
    },
    remove: (table: TableName, id: string) => change(table, id),
    /** If `work` throws, undoes all its changes. */
    transaction: <R>(work: () => R): R => {
      const current: NonNullable<typeof open> = { changes: [], undo: [] };
      open = current;
      try {
        const result = work();
        if (current.changes.length > 0) journal.append(current.changes);
        return result;
      } catch (error) {
        for (const restore of current.undo.reverse()) restore();
        throw error;
      } finally {
        open = undefined;
      }
    },
  };
}

/**
 * Stores a row, or removes it if `row` is undefined. The row's type isn't checked, because `put` wrote each row in the
 * journal to the table that it names.
 */
function setRow(rows: Map<string, { id: string }>, id: string, row: { id: string } | undefined): void {
  if (row) rows.set(id, row);
  else rows.delete(id);
}

const listChanges = (rows: Rows): Change[] =>
  Object.entries(rows).flatMap(([table, map]) =>
    [...map.values()].map((row): Change => ({ table: table as TableName, id: row.id, row })),
  );

interface Change {
  table: TableName;
  id: string;
  /** Undefined if the row was removed. */
  row?: { id: string };
}

/**
 * Opens the file that keeps the double's state across restarts. Each line contains the changes of one transaction. If
 * the process dies while writing, only whole transactions are lost.
 */
function openJournal(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'stripe.jsonl');
  return {
    read: (): Change[] => (existsSync(file) ? parseLines(readFileSync(file, 'utf8')) : []),
    append: (changes: readonly Change[]) => appendFileSync(file, `${JSON.stringify(changes)}\n`),
    /** Atomically replaces the file's content with one transaction. */
    compact: (changes: readonly Change[]) => {
      writeFileSync(`${file}.new`, `${JSON.stringify(changes)}\n`);
      renameSync(`${file}.new`, file);
    },
  };
}

/** Drops an incomplete last line, which a process leaves behind if it dies while writing. */
function parseLines(text: string): Change[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = complete.split('\n').filter(Boolean);
  return lines.flatMap((line): Change[] => JSON.parse(line));
}
