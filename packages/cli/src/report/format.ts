/** Formats image dimensions, such as `1,024 x 768`. */
export const formatSize = ({ width, height }: { width: number; height: number }): string =>
  `${formatCount(width)} x ${formatCount(height)}`;

export const formatCount = (n: number): string => n.toLocaleString('en-US');

/** Formats a file size, such as `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} Bytes`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}

export const formatCredits = (credits: number): string => `${formatCount(credits)} credit${credits === 1 ? '' : 's'}`;

/** Formats a duration, such as `12 s` or `3 min`. */
export const formatSeconds = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${formatCount(Math.ceil(seconds / 60))} min`;

/** Formats rows as a table. All columns except the first and the last are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const last = widths.length - 1;
  const cell = (text: string, column: number) => {
    if (column === last) return text;
    const width = widths[column] ?? 0;
    return column === 0 ? text.padEnd(width) : text.padStart(width);
  };
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}
