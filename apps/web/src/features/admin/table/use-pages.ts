import { useInfiniteQuery } from '@tanstack/react-query';
import { nextCursor } from '../../../lib/api/next-cursor.ts';

export type TablePage<Row> = { rows: Row[]; total: number; next: string | undefined };

/** Returns a page of a list, with the cursor and the total from the response headers. */
export function readTablePage<Row>({ data: rows, headers }: { data: Row[]; headers: Headers }): TablePage<Row> {
  return { rows, next: nextCursor(headers), total: Number(headers.get('x-total-count') ?? rows.length) };
}

type PageRequest = { query: { cursor: string | undefined; limit: number }; signal: AbortSignal };
const pageRows = 50;

/** Loads a list without filters page by page. */
export const usePages = <Row>(
  queryKey: readonly string[],
  load: (request: PageRequest) => Promise<{ data: Row[]; headers: Headers }>,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: cursor, signal }) =>
      readTablePage(await load({ query: { cursor, limit: pageRows }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
