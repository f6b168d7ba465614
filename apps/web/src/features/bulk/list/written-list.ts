import type { BulkState } from '../bulk-store.ts';
import type { Row } from './row.ts';

/** The list as saved in localStorage; its files are in the file store. */
type Written = Pick<BulkState, 'rows' | 'aside' | 'asked' | 'order' | 'unconfirmed'> & { writtenAt: number };

const maxAgeMs = 24 * 60 * 60 * 1000;

/** Interrupted uploads start over. */
function withoutFile({ file: _, ...row }: Row): Row {
  return row.status === 'uploading' ? { ...row, status: 'pending', sent: 0 } : row;
}

/** Serializes the list. */
export function writeList(
  { rows, aside, asked, order, unconfirmed }: Omit<Written, 'writtenAt'>,
  nowMs: number,
): string {
  return JSON.stringify({
    rows: rows.filter(({ status }) => status !== 'rejected').map(withoutFile),
    aside: aside.map(({ file: _, ...left }) => left),
    asked,
    order,
    unconfirmed,
    writtenAt: nowMs,
  } satisfies Written);
}

/** Parses a saved list; undefined if it is missing, invalid, or expired. */
export function readList(text: string | null, nowMs: number): Omit<Written, 'writtenAt'> | undefined {
  try {
    const { writtenAt, ...written }: Written = JSON.parse(text ?? '');
    return nowMs - writtenAt < maxAgeMs ? written : undefined;
  } catch {
    return undefined;
  }
}
