import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { useEffect } from 'react';
import { fetchKey } from '../../lib/fetch-key.ts';
import { userKey } from '../../lib/user-key.ts';

type OwnListOptions<T> = {
  queryKey: readonly [string];
  /** Milliseconds until the list is read again; false: it is not. */
  pollMs?: (rows: readonly T[]) => number | false;
};

/** A list of the account's own. Where the session has ended meanwhile, nobody is signed in any more. */
export function useOwnList<T>({ queryKey, pollMs = () => false }: OwnListOptions<T>) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: (context) => fetchKey(context) as Promise<T[]>,
    refetchInterval: ({ state }) => pollMs(state.data ?? []),
    // Read anew on every visit, and never shown to whoever signs in next.
    gcTime: 0,
  });
  const isSignedOut = query.error instanceof ApiError && query.error.status === 401;
  useEffect(() => {
    if (isSignedOut) queryClient.setQueryData(userKey, null);
  }, [isSignedOut, queryClient]);
  return query;
}
