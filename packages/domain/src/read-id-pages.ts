import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isUuid } from './actor.ts';
import type { TablePage } from './read-table.ts';

/** A list that is sorted by ID, the newest row first. `before`: the ID of the last row of the previous page. */
type IdList<Row extends { id: string | number }> = {
  list: (page: { before: Row['id'] | undefined; limit: number }) => Promise<Row[]>;
  count: () => Promise<number>;
};
type PageQuery = { cursor?: string | undefined; limit?: number | undefined };

/** Reads one page of a list. Throws `invalid_parameter` for a cursor that isn't an ID. */
export async function readIdPage<Row extends { id: string }>(
  { cursor, limit = limits.pageRows }: PageQuery,
  { list, count }: IdList<Row>,
): Promise<TablePage<Row>> {
  if (cursor !== undefined && !isUuid(cursor)) throw new AppError('invalid_parameter', { param: 'cursor' });
  const [found, total] = await Promise.all([list({ before: cursor, limit: limit + 1 }), count()]);
  const rows = found.slice(0, limit);
  return { rows, total, nextCursor: found.length > limit ? rows.at(-1)?.id : undefined };
}

/** Reads all rows of a list, page by page. Throws `export_too_large` before the first one. */
export async function readAllIds<Row extends { id: string | number }>({
  list,
  count,
}: IdList<Row>): Promise<AsyncIterable<Row[]>> {
  if ((await count()) > limits.exportRows) throw new AppError('export_too_large');
  return (async function* pages() {
    let before: Row['id'] | undefined;
    do {
      const rows = await list({ before, limit: limits.maxPageRows });
      before = rows.length < limits.maxPageRows ? undefined : rows.at(-1)?.id;
      yield rows;
    } while (before !== undefined);
  })();
}
