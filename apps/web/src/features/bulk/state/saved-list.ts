import type { BulkState } from './bulk-store.ts';
import type { Row } from './row.ts';

/** The list as saved in localStorage; its files are in the file store. */
type SavedList = Pick<BulkState, 'rows' | 'extraFiles' | 'runIds' | 'request' | 'unconfirmedRequest'> & {
  writtenAt: number;
};

const maxAgeMs = 24 * 60 * 60 * 1000;

/** Interrupted uploads start over. */
function withoutFile({ file: _, ...row }: Row): Row {
  return row.status === 'uploading' ? { ...row, status: 'pending', sent: 0 } : row;
}

export function serializeList(
  { rows, extraFiles, runIds, request, unconfirmedRequest }: Omit<SavedList, 'writtenAt'>,
  nowMs: number,
): string {
  return JSON.stringify({
    rows: rows.filter(({ status }) => status !== 'rejected').map(withoutFile),
    extraFiles: extraFiles.map(({ file: _, ...left }) => left),
    runIds,
    request,
    unconfirmedRequest,
    writtenAt: nowMs,
  } satisfies SavedList);
}

/** Parses a saved list; undefined if it is missing, invalid, or expired. */
export function parseList(text: string | null, nowMs: number): Omit<SavedList, 'writtenAt'> | undefined {
  try {
    const { writtenAt, ...written }: SavedList = JSON.parse(text ?? '');
    return nowMs - writtenAt < maxAgeMs ? written : undefined;
  } catch {
    return undefined;
  }
}
