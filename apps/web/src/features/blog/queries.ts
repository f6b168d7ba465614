import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** Prevents a rendered page from fetching again what its loader has just fetched. */
const prefetchedOptions = { staleTime: 10_000, retryOnMount: false } as const;

export const postsQuery = (category: string | undefined, page: number) =>
  queryOptions({
    queryKey: [apiRoutes.listPosts.path, { category, page }],
    queryFn: async ({ signal }) => (await api.listPosts({ query: { category, page }, signal })).data,
    ...prefetchedOptions,
  });

export const postQuery = (slug: string) =>
  queryOptions({
    queryKey: [apiRoutes.listPosts.path, slug],
    queryFn: async ({ signal }) => (await api.getPost({ params: { slug }, signal })).data,
    ...prefetchedOptions,
  });

export const categoriesQuery = queryOptions({
  queryKey: [apiRoutes.listCategories.path],
  queryFn: async ({ signal }) => (await api.listCategories({ signal })).data,
  ...prefetchedOptions,
});

/** Reads the draft of a preview link. Not cached. */
export const previewQuery = (token: string) =>
  queryOptions({
    queryKey: ['preview', token],
    queryFn: async ({ signal }) => (await api.getPreview({ params: { token }, signal })).data,
    ...{ staleTime: 0, gcTime: 0 },
  });
