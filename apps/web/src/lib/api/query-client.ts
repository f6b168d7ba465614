import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasErrorCode } from './api-errors.ts';
import { fetchQueryKey } from './fetch-query-key.ts';
import { userKey } from './user-key.ts';

/** When any call fails because the session has ended, the user is signed out on all components. */
function handleSessionEnd(error: Error) {
  if (hasErrorCode(error, 'not_signed_in')) queryClient.setQueryData(userKey, null);
}

/** Queries are never stale, refetched, or retried by default: mutations and events invalidate them. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleSessionEnd }),
  mutationCache: new MutationCache({ onError: handleSessionEnd }),
  defaultOptions: {
    queries: {
      queryFn: fetchQueryKey,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      retry: false,
    },
    mutations: { retry: false },
  },
});
