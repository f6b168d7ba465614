import { MutationCache, QueryClient } from '@tanstack/react-query';
import { fetchKey } from './fetch-key.ts';
import { hasCode } from './has-code.ts';
import { userKey } from './user-key.ts';

/** A write that meets an ended session tells everything below that nobody is signed in any more. */
const mutationCache = new MutationCache({
  onError: (error) => {
    if (hasCode(error, 'not_signed_in')) queryClient.setQueryData(userKey, null);
  },
});

/** Data never goes stale by itself, nothing is refetched or retried: writes and events say when. */
export const queryClient: QueryClient = new QueryClient({
  mutationCache,
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
