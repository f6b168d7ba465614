import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasErrorCode } from './api-errors.ts';
import { fetchKey } from './fetch-key.ts';
import { userKey } from './user-key.ts';

/** When any call fails because the session has ended, the user is signed out on all components. */
function noticeEnd(error: Error) {
  if (hasErrorCode(error, 'not_signed_in')) queryClient.setQueryData(userKey, null);
}

/** Queries are never stale, refetched, or retried by default: mutations and events invalidate them. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      queryFn: fetchKey,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      retry: false,
    },
    mutations: { retry: false },
  },
});
