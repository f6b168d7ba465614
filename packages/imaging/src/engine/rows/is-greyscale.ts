import type { RowFile } from './row-file.ts';

const chunkRows = 64;

/** Whether an RGB file contains only grey pixels. Color images are usually detected in their first rows. */
export async function isGreyscale(file: RowFile): Promise<boolean> {
  if (file.channels < 3) return false;
  for (let y = 0; y < file.height; y += chunkRows) {
    const rows = await file.readRows(y, Math.min(chunkRows, file.height - y));
    for (let i = 0; i < rows.length; i += file.channels)
      if (rows[i] !== rows[i + 1] || rows[i] !== rows[i + 2]) return false;
  }
  return true;
}
