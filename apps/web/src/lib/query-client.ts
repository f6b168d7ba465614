import { QueryClient } from '@tanstack/react-query';
import { fetchKey } from './fetch-key.ts';

/** Data never goes stale by itself, nothing is refetched or retried: writes and events say when. */
export const queryClient = new QueryClient({
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
