import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** Keeps data that a page's loader has just read from being fetched again when the page renders. */
const fresh = { staleTime: 10_000, retryOnMount: false } as const;

/** The status, refetched regularly while the page is open. */
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
