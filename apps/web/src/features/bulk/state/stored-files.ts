import type { Row } from './row.ts';

/** Limit of the unsent files that are stored for a reload, in bytes. */
export const maxStoredBytes = 500 * 1024 * 1024;

export const isUnsent = ({ status }: Row) => status === 'pending' || status === 'uploading' || status === 'failed';

/** The files to store: unsent ones from the top, within the limit. */
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
