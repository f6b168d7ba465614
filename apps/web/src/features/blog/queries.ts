import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** Prevents refetching on render what the page's loader has just fetched. */
const prefetchedOptions = { staleTime: 10_000, retryOnMount: false } as const;

/** A page of public posts: of a category, or of all. */
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

/** The draft that a preview link shows. Not cached. */
export const previewQuery = (token: string) =>
  queryOptions({
    queryKey: ['preview', token],
    queryFn: async ({ signal }) => (await api.getPreview({ params: { token }, signal })).data,
    ...{ staleTime: 0, gcTime: 0 },
  });
