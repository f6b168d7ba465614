import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isStorable } from '@uprez/contracts/schemas/stored-text';
import type { DbOrTx } from '@uprez/db/database';
import type { Page, Position } from '@uprez/db/keyset';
import type { Needs } from './context.ts';

export type TableQuery<Sort extends string> = {
  sort?: Sort | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};
type Positioned = { id: string; sortValue: number | string };
/** `list`: unique name of the table. */
type PageQuery<Sort extends string> = TableQuery<Sort> & { list: string; sort: Sort; isText?: boolean | undefined };
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
 * Rows per page of an export. V8 frees the rows of a small page soon after they are sent. The rows of larger pages
 * survive minor garbage collections, and their memory stays allocated.
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

type TableDefinition<Filter, Sort extends string, Row extends Positioned, Shown> = {
  /** Unique name of the table. */
  name: string;
  /** Sort orders. The first one is the default. */
  sorts: readonly [Sort, ...Sort[]];
  /** Whether the sort values of an order are texts. */
  isText?: (sort: Sort) => boolean;
  list: (db: DbOrTx, query: NoInfer<Filter & Page & { sort: Sort }>) => Promise<Row[]>;
  count: (db: DbOrTx, filter: Filter) => Promise<number>;
  present: (rows: Row[], ctx: Needs<'db'>) => Shown[] | Promise<Shown[]>;
};

/** Returns the verbs of a table whose rows administrators filter, sort, and export. */
export function defineTable<Filter, Sort extends string, Row extends Positioned, Shown>({
  name,
  sorts,
  isText,
  list,
  count,
  present,
}: TableDefinition<Filter, Sort, Row, Shown>) {
  const makeSource = ({ db }: Needs<'db'>, filter: Filter) => ({
    list: (page: Page & { sort: Sort }) => list(db, { ...filter, ...page }),
    count: () => count(db, filter),
  });
  return {
    /** Returns a page of the rows that match a filter. Throws `invalid_parameter`. */
    page: async (ctx: Needs<'db'>, query: Filter & TableQuery<Sort>): Promise<TablePage<Shown>> => {
      const { sort = sorts[0], cursor, limit } = query;
      const page = await readPage({ list: name, sort, isText: isText?.(sort), cursor, limit }, makeSource(ctx, query));
      return { ...page, rows: await present(page.rows, ctx) };
    },
    /** Yields all rows that match a filter, page by page. Throws `export_too_large`. */
    export: async (ctx: Needs<'db'>, query: Filter & { sort?: Sort | undefined }): Promise<AsyncIterable<Shown[]>> => {
      const pages = await readAll(query.sort ?? sorts[0], makeSource(ctx, query));
      return (async function* presented() {
        for await (const rows of pages) yield await present(rows, ctx);
      })();
    },
  };
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
