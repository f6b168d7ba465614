import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { LedgerTable } from '../../../ui/ledger/ledger-table.tsx';
import { adminApi } from '../admin-api.ts';
import { userMessages } from './messages.ts';
import { userKeyOf } from './queries.ts';

const pageRows = 50;

/** Every change of a user's credits, newest first. */
export function LedgerTab({ userId: id }: { userId: string }) {
  const query = useInfiniteQuery({
    queryKey: userKeyOf(id, 'ledger'),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const request = { params: { id }, query: { cursor, limit: pageRows }, signal };
      const { data: rows, headers } = await adminApi.adminListLedger(request);
      return { rows, next: headers.has('link') ? rows.at(-1)?.id : undefined };
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
    refetchOnMount: 'always',
  });
  const empty = <EmptyState {...userMessages.ledger.empty} />;
  return (
    <div className="grid gap-4">
      <QueryView query={query} skeleton={<Skeleton className="h-80 rounded-card" />} empty={empty}>
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
