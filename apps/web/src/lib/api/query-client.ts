import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasErrorCode } from './api-errors.ts';
import { fetchKey } from './fetch-key.ts';
import { userKey } from './user-key.ts';

/** A call that meets an ended session tells everything below that nobody is signed in any more. */
function noticeEnd(error: Error) {
  if (hasErrorCode(error, 'not_signed_in')) queryClient.setQueryData(userKey, null);
}

/** Data never goes stale by itself, nothing is refetched or retried: writes and events say when. */
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
