import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isUuid } from './actor.ts';
import { formatCursor, invalidCursor, parseCursor, type TablePage } from './read-table.ts';

/** `before`: ID of the last row of the previous page. */
type IdList<Row extends { id: string | number }> = {
  list: (page: { before: Row['id'] | undefined; limit: number }) => Promise<Row[]>;
  count: () => Promise<number>;
};
export type IdPageQuery = { cursor?: string | undefined; limit?: number | undefined };
/** `list`: unique name of the list. `parseId`: returns undefined for a string that isn't a valid ID in the list. */
type NamedQuery<Id> = IdPageQuery & { list: string; parseId: (text: string) => Id | undefined };

export const parseUuid = (text: string): string | undefined => (isUuid(text) ? text : undefined);
export const parseIntegerId = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Reads one page of a list. Throws `invalid_parameter` for a cursor from another list. */
export async function readIdPage<Row extends { id: string | number }>(
  { list: name, parseId, cursor, limit = limits.pageRows }: NamedQuery<Row['id']>,
  { list, count }: IdList<Row>,
): Promise<TablePage<Row>> {
  const before = cursor === undefined ? undefined : parseId(parseCursor(name, cursor)[0] ?? '');
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const [found, total] = await Promise.all([list({ before, limit: limit + 1 }), count()]);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, total, nextCursor: found.length > limit && last ? formatCursor(name, [last.id]) : undefined };
}

/** Yields all rows of a list, page by page. Throws `export_too_large` before the first page. */
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
