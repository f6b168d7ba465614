/** The columns that a parameter of the URL names, in the order of the table. The first column is always shown. */
export function parseColumns(columns: readonly string[], names: string | null): readonly string[] {
  if (names === null) return columns;
  const wanted = names.split(',');
  return columns.filter((column, index) => index === 0 || wanted.includes(column));
}

/** Returns the value of the URL parameter, or undefined if all columns are shown. */
export const formatColumns = (columns: readonly string[], shown: readonly string[]): string | undefined =>
  shown.length === columns.length ? undefined : shown.join(',');
