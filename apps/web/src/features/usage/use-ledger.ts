import { useInfiniteQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { api } from '../../lib/api/api.ts';

const pageRows = 25;

/** Query key of the account's ledger. */
export const ledgerKey = [routes.listLedger.path] as const;

async function fetchPage(cursor: number | undefined, signal: AbortSignal) {
  const { data: rows, headers } = await api.listLedger({ query: { cursor, limit: pageRows }, signal });
  const next = headers.has('link') ? rows.at(-1)?.id : undefined;
  return { rows, next, total: Number(headers.get('x-total-count') ?? rows.length) };
}

/** The ledger of the account, newest first, by page. Refetched on every visit. */
export const useLedger = () =>
  useInfiniteQuery({
    queryKey: ledgerKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
