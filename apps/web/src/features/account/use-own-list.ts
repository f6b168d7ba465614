import { useQuery } from '@tanstack/react-query';
import { fetchKey } from '../../lib/api/fetch-key.ts';

type OwnListOptions<T> = {
  queryKey: readonly [string];
  /** Milliseconds until the list is read again; false: it is not. */
  pollMs?: (rows: readonly T[]) => number | false;
};

/** A list of the account's own. */
export const useOwnList = <T>({ queryKey, pollMs = () => false }: OwnListOptions<T>) =>
  useQuery({
    queryKey,
    queryFn: (context) => fetchKey(context) as Promise<T[]>,
    refetchInterval: ({ state }) => pollMs(state.data ?? []),
    // Read anew on every visit, and never shown to whoever signs in next.
    gcTime: 0,
  });
