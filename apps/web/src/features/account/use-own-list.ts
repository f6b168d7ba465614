import { useQuery } from '@tanstack/react-query';
import { fetchKey } from '../../lib/api/fetch-key.ts';

type OwnListOptions<T> = {
  queryKey: readonly [string];
  /** Poll interval in milliseconds; false for none. */
  pollMs?: (rows: readonly T[]) => number | false;
};

/** A list of the account page. */
export const useOwnList = <T>({ queryKey, pollMs = () => false }: OwnListOptions<T>) =>
  useQuery({
    queryKey,
    queryFn: (context) => fetchKey(context) as Promise<T[]>,
    refetchInterval: ({ state }) => pollMs(state.data ?? []),
    // Refetched on every visit, and not cached for the next user.
    gcTime: 0,
  });
