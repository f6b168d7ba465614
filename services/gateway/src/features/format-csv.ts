import { stringify } from 'csv-stringify/sync';

/** Spreadsheets run such cells as formulas (OWASP, "CSV Injection"). `escape_formulas` misses those after a space. */
const formula = /^\s*[=+\-@\t\r]/;
/** A negative amount isn't a formula. */
const amount = /^-\d+\.\d{2}$/;

/**
 * Formats rows as CSV (RFC 4180), with a byte order mark for spreadsheets. The keys are the header. `hasHeader: false`: the
 * rows continue a file.
 */
export const formatCsv = (
  rows: readonly Record<string, string | number | null | Readonly<Record<string, unknown>>>[],
  columns?: readonly string[],
  { hasHeader = true }: { hasHeader?: boolean } = {},
): string =>
  stringify([...rows], {
    bom: hasHeader,
    header: hasHeader,
    ...(columns && { columns: [...columns] }),
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: (text) => (formula.test(text) && !amount.test(text) ? `'${text}` : text) },
  });
