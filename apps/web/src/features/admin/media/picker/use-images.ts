import { useInfiniteQuery } from '@tanstack/react-query';
import { adminApi } from '../../admin-api.ts';
import { readTablePage } from '../../table/use-pages.ts';
import { mediaKey } from '../queries.ts';

const pageRows = 24;

/** The images of the library, the latest first. */
export const useImages = (search: string) =>
  useInfiniteQuery({
    queryKey: [...mediaKey, 'picker', search],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { type: 'image', search: search || undefined, cursor, limit: pageRows } as const;
      return readTablePage(await adminApi.adminListMedia({ query, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
