import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Page, Position } from '@uprez/db/keyset';

/** How a table is read: the sort order, the position of the page, and its length. */
export type TableQuery<Sort extends string> = {
  sort?: Sort | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};
type Positioned = { id: string; sortValue: number };
export type TablePage<Row> = { rows: Row[]; total: number; nextCursor: string | undefined };

/** The position of a row as an opaque text. It names the sort order, because it means nothing in another one. */
const toCursor = (sort: string, { id, sortValue }: Positioned) =>
  Buffer.from(`${sort} ${sortValue} ${id}`).toString('base64url');

/** Throws `invalid_parameter` for a text that isn't a cursor of this sort order. */
function fromCursor(sort: string, cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, order, value, id] = /^(\S+) (-?\d{1,16}) ([\w-]{1,200})$/.exec(text) ?? [];
  if (order !== sort || !value || !id) throw new AppError('invalid_parameter', { param: 'cursor' });
  return { value: Number(value), id };
}

/** Whether PostgreSQL couldn't read a text as the type of a column (22P02): the ID of a cursor may be any text. */
const isInvalidText = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '22P02';

/** Reads one page of a table. Throws `invalid_parameter` for a cursor of another sort order. */
export async function readPage<Row extends Positioned, Sort extends string>(
  { sort, cursor, limit = limits.pageRows }: TableQuery<Sort> & { sort: Sort },
  { list, count }: { list: (page: Page & { sort: Sort }) => Promise<Row[]>; count: () => Promise<number> },
): Promise<TablePage<Row>> {
  const after = cursor === undefined ? undefined : fromCursor(sort, cursor);
  const [found, total] = await Promise.all([list({ sort, after, limit: limit + 1 }), count()]).catch(
    (error: unknown) => {
      throw after && isInvalidText(error)
        ? new AppError('invalid_parameter', { param: 'cursor', cause: error })
        : error;
    },
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, total, nextCursor: found.length > limit && last ? toCursor(sort, last) : undefined };
}

/**
 * Rows that are read at once for an export. V8 frees few rows soon after they were sent: larger pages outlive the collections
 * of new objects, and their memory stays allocated.
 */
export const exportPage = 25;

/** Throws `export_too_large`. */
export async function checkExport({ count }: { count: () => Promise<number> }): Promise<void> {
  if ((await count()) > limits.exportRows) throw new AppError('export_too_large');
}

/** Reads all rows of a table, page by page. Throws `export_too_large` before the first one. */
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
