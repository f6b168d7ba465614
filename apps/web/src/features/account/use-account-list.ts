import { useQuery } from '@tanstack/react-query';
import { fetchQueryKey } from '../../lib/api/fetch-query-key.ts';

type AccountListOptions<T> = {
  queryKey: readonly [string];
  /** Poll interval in milliseconds; false for none. */
  pollMs?: (rows: readonly T[]) => number | false;
};

/** A list of the account page. */
export const useAccountList = <T>({ queryKey, pollMs = () => false }: AccountListOptions<T>) =>
  useQuery({
    queryKey,
    queryFn: (context) => fetchQueryKey(context) as Promise<T[]>,
    refetchInterval: ({ state }) => pollMs(state.data ?? []),
    // Refetched on every visit, and not cached for the next user.
    gcTime: 0,
  });
