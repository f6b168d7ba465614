import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';

/**
 * Returns the subscription that a token belongs to. Not retried automatically: the page shows errors and a retry
 * button.
 */
export const subscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: [apiRoutes.getSubscription.path, token],
    queryFn: async ({ signal }) => (await api.getSubscription({ query: { token }, signal })).data,
    ...{ enabled: token !== '', staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  });

/** Confirms a subscription. Runs once per token. */
export const confirmationQuery = (token: string) =>
  queryOptions({
    queryKey: [apiRoutes.confirmSubscription.path, token],
    queryFn: async () => (await api.confirmSubscription({ body: { token } })).data,
    ...{ enabled: token !== '', staleTime: Number.POSITIVE_INFINITY, retry: false },
  });
