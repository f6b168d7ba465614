import { stringify } from 'csv-stringify/sync';

/**
 * Where spreadsheets begin a formula (OWASP, "CSV Injection"), also with full-width signs. Those that separate cells by
 * semicolons or tabs don't recognize the quotes of a later cell: a separator or a line break inside begins a cell.
 */
const formulas = /(?:^(?=\s*[=+\-@＝＋－＠\t\r]))|(?<=[;\t\r\n])(?=[^\S\t\r\n]*[=+\-@＝＋－＠])/g;
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
    cast: { string: (text) => (amount.test(text) ? text : text.replaceAll(formulas, "'")) },
  });

/** An amount in cents as a cell of a CSV file, with two decimals: `7.00`. */
export const moneyCell = (cents: number): string => (cents / 100).toFixed(2);

/** The code of a currency as a cell of a CSV file: `USD`. */
export const currencyCell = (currency: string): string => currency.toUpperCase();
