import type { BulkState } from './bulk-store.ts';
import type { Row } from './row.ts';

/** Maximum total size of the unsent files that are stored to survive a reload, in bytes. */
export const maxStoredBytes = 500 * 1024 * 1024;

export const isUnsent = ({ status }: Row) => status === 'pending' || status === 'uploading' || status === 'failed';

/** Returns the unsent files to store, in list order. Skips files that would exceed `maxBytes`. */
export function selectStoredFiles(rows: readonly Row[], maxBytes: number = maxStoredBytes): Map<string, File> {
  const kept = new Map<string, File>();
  let left = maxBytes;
  for (const row of rows) {
    const { id, file } = row;
    if (!file || !isUnsent(row) || file.size > left) continue;
    left -= file.size;
    kept.set(id, file);
  }
  return kept;
}

type SavedList = Pick<BulkState, 'rows' | 'extraFiles' | 'runIds' | 'paused' | 'requests' | 'unconfirmedRequest'>;

const maxAgeMs = 24 * 60 * 60 * 1000;

/** Interrupted uploads become pending. */
function omitFile({ file: _, ...row }: Row): Row {
  return row.status === 'uploading' ? { ...row, status: 'pending', sent: 0 } : row;
}

/** Serializes the list for localStorage. The files themselves are in the file store. */
export const serializeList = (
  { rows, extraFiles, runIds, paused, requests, unconfirmedRequest }: SavedList,
  nowMs: number,
) =>
  JSON.stringify({
    rows: rows.filter(({ status }) => status !== 'rejected').map(omitFile),
    extraFiles: extraFiles.map(({ file: _, ...left }) => left),
    runIds,
    paused,
    requests,
    unconfirmedRequest,
    writtenAt: nowMs,
  });

/** Parses a stored list. Returns undefined if it is missing, invalid, or expired. */
export function parseList(text: string | null, nowMs: number): SavedList | undefined {
  try {
    const { writtenAt, ...written }: SavedList & { writtenAt: number } = JSON.parse(text ?? '');
    return nowMs - writtenAt < maxAgeMs ? written : undefined;
  } catch {
    return undefined;
  }
}
