import { stringify } from 'csv-stringify/sync';

/**
 * Matches the positions where spreadsheets start a formula (OWASP, "CSV Injection"), including before full-width signs.
 * Spreadsheets that separate cells by semicolons or tabs only recognize the quotes of the first cell. In other cells, a
 * separator or line break inside quotes starts a new cell.
 */
const formulaPattern = /(?:^(?=\s*[=+\-@＝＋－＠\t\r]))|(?<=[;\t\r\n])(?=[^\S\t\r\n]*[=+\-@＝＋－＠])/g;
/** Matches a negative amount, which looks like a formula but isn't one. */
const amountPattern = /^-\d+\.\d{2}$/;

/**
 * Formats rows as CSV (RFC 4180), with a byte order mark for spreadsheets. The keys become the header row. To continue
 * a file, `hasHeader: false` omits the byte order mark and the header row.
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
    cast: { string: (text) => (amountPattern.test(text) ? text : text.replaceAll(formulaPattern, "'")) },
  });

export const moneyCell = (cents: number): string => (cents / 100).toFixed(2);

export const currencyCell = (currency: string): string => currency.toUpperCase();
