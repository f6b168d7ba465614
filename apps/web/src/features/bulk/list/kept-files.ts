import type { Row } from './row.ts';

/** Unsent files that come back after a reload, bytes in all. */
export const keptBytes = 500 * 1024 * 1024;

/** Whether its file is still needed here. */
export const isUnsent = ({ status }: Row) => status === 'pending' || status === 'uploading' || status === 'failed';

/** Which files are worth keeping: unsent ones from the top, as long as they fit. */
export function chooseKept(rows: readonly Row[], maxBytes: number = keptBytes): Map<string, File> {
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
