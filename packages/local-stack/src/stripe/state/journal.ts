import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableName } from './tables.ts';

/** One written or removed row. */
export interface Change {
  table: TableName;
  id: string;
  /** Undefined: removed. */
  row?: { id: string };
}

/**
 * Opens the file in which the state of the double survives restarts. Each line holds the changes of one transaction, so
 * that a process that dies while writing loses whole transactions only.
 */
export function openJournal(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'stripe.jsonl');
  return {
    read: (): Change[] => (existsSync(file) ? parseLines(readFileSync(file, 'utf8')) : []),
    append: (changes: readonly Change[]) => appendFileSync(file, `${JSON.stringify(changes)}\n`),
    /** Replaces the history by one transaction, atomically. */
    compact: (changes: readonly Change[]) => {
      writeFileSync(`${file}.new`, `${JSON.stringify(changes)}\n`);
      renameSync(`${file}.new`, file);
    },
  };
}

/** Ends at the first incomplete line, which a process left behind that died while writing. */
function parseLines(text: string): Change[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = complete.split('\n').filter(Boolean);
  return lines.flatMap((line): Change[] => JSON.parse(line));
}
