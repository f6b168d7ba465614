import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** Keeps a rendered page from fetching again what its loader just fetched. */
const fresh = { staleTime: 10_000, retryOnMount: false } as const;

export const helpCenterQuery = queryOptions({
  queryKey: [apiRoutes.getHelpCenter.path],
  queryFn: async ({ signal }) => (await api.getHelpCenter({ signal })).data,
  ...fresh,
});

export const helpArticleQuery = (slug: string) =>
  queryOptions({
    queryKey: [apiRoutes.getHelpArticle.path, slug],
    queryFn: async ({ signal }) => (await api.getHelpArticle({ params: { slug }, signal })).data,
    ...fresh,
  });

/** Each search is counted, so the same search isn't sent again within `staleTime`. */
export const helpSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [apiRoutes.searchHelp.path, search],
    queryFn: async ({ signal }) => (await api.searchHelp({ query: { q: search }, signal })).data,
    staleTime: 60_000,
    retryOnMount: false,
  });
