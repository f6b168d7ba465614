import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** What the loader of a page has just read isn't read again when the page is rendered. */
const fresh = { staleTime: 10_000, retryOnMount: false } as const;

/** The status, which is read again while the page is open. */
export const statusQuery = queryOptions({
  queryKey: [apiRoutes.getStatus.path],
  queryFn: async ({ signal }) => (await api.getStatus({ signal })).data,
  refetchInterval: 60_000,
  ...fresh,
});

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: [apiRoutes.getStatus.path, id],
    queryFn: async ({ signal }) => (await api.getIncident({ params: { id }, signal })).data,
    ...fresh,
  });
