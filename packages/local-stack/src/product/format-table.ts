import type { ServiceRow } from './open-backing.ts';

const columns = ['service', 'backend', 'url', 'data'] as const satisfies readonly (keyof ServiceRow)[];
const header: ServiceRow = { service: 'service', backend: 'backend', url: 'URL', data: 'data folder' };

/** Formats rows in columns as wide as their longest cell. */
export function formatTable(rows: ServiceRow[]): string {
  const all = [header, ...rows];
  const widths = columns.map((column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      columns
        .map((column, index) => row[column].padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
