import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** Query options that prevent a second request for data that the page's loader has just fetched. */
const freshQueryOptions = { staleTime: 10_000, retryOnMount: false } as const;

export const sitePageQuery = (slug: string) =>
  queryOptions({
    queryKey: [apiRoutes.getSitePage.path, slug],
    queryFn: async ({ signal }) => (await api.getSitePage({ params: { slug }, signal })).data,
    ...freshQueryOptions,
  });

export const legalTextQuery = (slug: string, number: string) =>
  queryOptions({
    queryKey: [apiRoutes.getSitePage.path, slug, number],
    queryFn: async ({ signal }) => (await api.getLegalText({ params: { slug, number }, signal })).data,
    ...freshQueryOptions,
  });

export const positionsQuery = queryOptions({
  queryKey: [apiRoutes.listPositions.path],
  queryFn: async ({ signal }) => (await api.listPositions({ signal })).data,
  ...freshQueryOptions,
});

export const positionQuery = (slug: string) =>
  queryOptions({
    queryKey: [apiRoutes.listPositions.path, slug],
    queryFn: async ({ signal }) => (await api.getPosition({ params: { slug }, signal })).data,
    ...freshQueryOptions,
  });
