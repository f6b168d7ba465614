import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isStorable } from '@uprez/contracts/schemas/stored-text';
import type { Page, Position } from '@uprez/db/keyset';

export type TableQuery<Sort extends string> = {
  sort?: Sort | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};
type Positioned = { id: string; sortValue: number | string };
/** `list`: unique name of the table. */
type PageQuery<Sort extends string> = TableQuery<Sort> & { list: string; sort: Sort; isText?: boolean };
export type TablePage<Row> = { rows: Row[]; total: number; nextCursor: string | undefined };

/** Throws `invalid_parameter` for a string that isn't a cursor for this list and sort order. */
function readPosition({ list, sort, isText = false }: PageQuery<string>, cursor: string): Position {
  const [order, text = '', id = ''] = parseCursor(list, cursor);
  const value = isText ? readText(text) : /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
  if (order !== sort || value === undefined || !/^[\w-]{1,200}$/.test(id)) throw invalidCursor();
  return { value, id };
}

/** Encodes strings, because spaces separate the parts of a cursor. */
const formatValue = (value: number | string): number | string =>
  typeof value === 'number' ? value : Buffer.from(value).toString('base64url');

function readText(encoded: string): string | undefined {
  const text = Buffer.from(encoded, 'base64url').toString();
  return isStorable(text) ? text : undefined;
}

/**
 * Whether PostgreSQL couldn't convert a string to a column's type (22P02), because the cursor contains an invalid ID.
 */
const isInvalidText = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '22P02';

/** Reads one page of a table. Throws `invalid_parameter` for a cursor from another list or sort order. */
export async function readPage<Row extends Positioned, Sort extends string>(
  { list: name, sort, isText = false, cursor, limit = limits.pageRows }: PageQuery<Sort>,
  { list, count }: { list: (page: Page & { sort: Sort }) => Promise<Row[]>; count: () => Promise<number> },
): Promise<TablePage<Row>> {
  const after = cursor === undefined ? undefined : readPosition({ list: name, sort, isText }, cursor);
  const [found, total] = await Promise.all([list({ sort, after, limit: limit + 1 }), count()]).catch(
    (error: unknown) => {
      throw after && isInvalidText(error) ? invalidCursor(error) : error;
    },
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor =
    found.length > limit && last ? formatCursor(name, [sort, formatValue(last.sortValue), last.id]) : undefined;
  return { rows, total, nextCursor };
}

/**
 * V8 frees the rows of a small page soon after they are sent. The rows of larger pages survive minor garbage
 * collections, and their memory stays allocated.
 */
export const exportPage = 25;

/** Throws `export_too_large` if there are too many rows to export. */
export async function checkExport({ count }: { count: () => Promise<number> }): Promise<void> {
  if ((await count()) > limits.exportRows) throw new AppError('export_too_large');
}

/** Yields all rows of a table, page by page. Throws `export_too_large` before the first page. */
export async function readAll<Row extends Positioned, Sort extends string>(
  sort: Sort,
  { list, count }: { list: (page: Page & { sort: Sort }) => Promise<Row[]>; count: () => Promise<number> },
): Promise<AsyncIterable<Row[]>> {
  await checkExport({ count });
  return (async function* pages() {
    for (let after: Position | undefined, isDone = false; !isDone; ) {
      const rows = await list({ sort, after, limit: exportPage });
      const last = rows.at(-1);
      after = last && { value: last.sortValue, id: last.id };
      isDone = rows.length < exportPage;
      yield rows;
    }
  })();
}

export const invalidCursor = (cause?: unknown): AppError =>
  new AppError('invalid_parameter', { param: 'cursor', ...(cause !== undefined && { cause }) });

/**
 * Encodes a position in a list as an opaque string. Includes the list's name, because a cursor is valid only for its
 * own list.
 */
export const formatCursor = (list: string, position: readonly (string | number)[]): string =>
  Buffer.from([list, ...position].join(' ')).toString('base64url');

/** Returns the position in a cursor. Throws `invalid_parameter` for a string that isn't a cursor for this list. */
export function parseCursor(list: string, cursor: string): string[] {
  const [name, ...position] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (name !== list) throw invalidCursor();
  return position;
}
