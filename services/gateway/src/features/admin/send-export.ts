import { Readable } from 'node:stream';
import { type ColumnOf, type ExportFormat, type TableName, tables } from '@uprez/contracts/policy/admin/tables';
import { toSnakeCaseName } from '@uprez/contracts/v1/fields';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import { maskFor } from '../../http/mask-emails.ts';
import { formatCsv } from '../format-csv.ts';

/** A value in an export. Objects are written as JSON in CSV cells. */
export type Cell = string | number | null | Readonly<Record<string, unknown>>;
export type Fields<Row> = Record<string, (row: Row) => Cell>;
type CellName<Row> = { [Name in keyof Row & string]: Row[Name] extends Cell ? Name : never }[keyof Row & string];

/** Returns fields for properties of a row. Files contain the names in snake_case. */
export const propertyFields = <Row>(...names: readonly CellName<Row>[]): Fields<Row> =>
  Object.fromEntries(names.map((name) => [toSnakeCaseName(name), (row: Row) => row[name] as Cell]));

export type ExportColumns<Name extends TableName, Row> = Record<ColumnOf<Name>, Fields<Row>>;

type Export<Name extends TableName, Row> = {
  name: Name;
  columns: ExportColumns<Name, Row>;
  pages: AsyncIterable<readonly Row[]>;
  query: { format?: ExportFormat | undefined; columns?: string | undefined };
};
type Cells = Record<string, Cell>;

const mediaTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/**
 * Streams rows as a file with the columns that the query names, or with all columns by default. Columns are in table
 * order, and the first one is always included.
 */
export function sendExport<Name extends TableName, Row>(
  reply: FastifyReply,
  { name, columns, pages, query: { format, columns: shown } }: Export<Name, Row>,
): FastifyReply {
  const wanted = shown?.split(',');
  const isExported = (column: string, index: number) => index === 0 || (wanted?.includes(column) ?? true);
  const exported = (tables[name].columns as readonly ColumnOf<Name>[]).filter(isExported);
  const fields = Object.fromEntries(exported.flatMap((column) => Object.entries<(row: Row) => Cell>(columns[column])));
  return sendFile(reply, { name: fileNames[name] ?? toKebab(name), fields, pages, format });
}

const fileNames: Partial<Record<TableName, string>> = { audits: 'audit-log', staff: 'administrators' };
const toKebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Formats a boolean as `yes` or `no`, as in all exports. */
export const formatYesNo = (value: boolean): string => (value ? 'yes' : 'no');

type FileInput<Row> = {
  name: string;
  fields: Fields<Row>;
  pages: AsyncIterable<readonly Row[]>;
  format?: ExportFormat | undefined;
};

export function sendFile<Row>(
  reply: FastifyReply,
  { name, fields, pages, format = 'csv' }: FileInput<Row>,
): FastifyReply {
  reply.headers({
    'content-type': mediaTypes[format],
    'content-disposition': contentDisposition(`${name}-${new Date().toISOString().slice(0, 10)}.${format}`),
    'cache-control': 'no-store',
  });
  // Sends only the headers, and reads nothing from the database.
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
  const cells = readCells(Object.entries(fields), pages, (rows) => maskFor(reply.request, rows));
  return reply.send(Readable.from(format === 'csv' ? toCsv(Object.keys(fields), cells) : toJson(cells)));
}

export async function* presentPages<Row, Presented>(
  pages: AsyncIterable<readonly Row[]>,
  present: (row: Row) => Presented,
): AsyncGenerator<Presented[]> {
  for await (const rows of pages) yield rows.map(present);
}

async function* readCells<Row>(
  fields: readonly (readonly [string, (row: Row) => Cell])[],
  pages: AsyncIterable<readonly Row[]>,
  mask: (rows: readonly Row[]) => readonly Row[],
): AsyncGenerator<Cells[]> {
  for await (const rows of pages)
    yield mask(rows).map((row) => Object.fromEntries(fields.map(([field, read]) => [field, read(row)])));
}

async function* toCsv(names: readonly string[], pages: AsyncIterable<Cells[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const cells of pages) {
    yield formatCsv(cells, names, { hasHeader: isFirst });
    isFirst = false;
  }
}

async function* toJson(pages: AsyncIterable<Cells[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const cells of pages)
    for (const row of cells) {
      yield before + JSON.stringify(row);
      before = ',\n';
    }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
