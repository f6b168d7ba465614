import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/** What the owner of a link gets. Errors are shown by the page, which can try again. */
export const subscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: [apiRoutes.getSubscription.path, token],
    queryFn: async ({ signal }) => (await api.getSubscription({ query: { token }, signal })).data,
    ...{ enabled: token !== '', staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  });

/** Confirms a subscription, once for each token. */
export const confirmationQuery = (token: string) =>
  queryOptions({
    queryKey: [apiRoutes.confirmSubscription.path, token],
    queryFn: async () => (await api.confirmSubscription({ body: { token } })).data,
    ...{ enabled: token !== '', staleTime: Number.POSITIVE_INFINITY, retry: false },
  });
