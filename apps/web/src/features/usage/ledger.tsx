import { useInfiniteQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../lib/api/api.ts';
import { nextCursor } from '../../lib/api/next-cursor.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { LedgerTable } from '../../ui/ledger/ledger-table.tsx';
import { ledgerMessages as text } from '../../ui/ledger/messages.ts';

const pageRows = 25;

/** The ledger: every change of the account's units, with its reason. */
export function Ledger() {
  const query = useInfiniteQuery({
    queryKey: [apiRoutes.listLedger.path],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { data: rows, headers } = await api.listLedger({ query: { cursor, limit: pageRows }, signal });
      return { rows, next: nextCursor(headers) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
    refetchOnMount: 'always',
  });
  return (
    <div className="grid gap-4">
      <QueryView query={query} skeleton={<Skeleton className="h-80" />} empty={<EmptyState {...text.empty} />}>
        {(rows) => (
          <>
            <LedgerTable rows={rows} />
            <MoreButton query={query} />
          </>
        )}
      </QueryView>
    </div>
  );
}
