import { useQuery } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect } from 'react';
import { userKey } from '../../lib/api/queries.ts';
import { fetchQueryKeyOrNull } from '../../lib/api/query-client.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { BulkWorkspace } from './bulk-workspace.tsx';
import { bulkMessages as text } from './messages.ts';
import { openSession } from './session.ts';
import { useBulk } from './state/bulk-store.ts';

function Loading() {
  return (
    <Delayed>
      <span className="sr-only">{text.loading}</span>
      <Skeleton className="h-80" />
    </Delayed>
  );
}

/** Processes many images. The list is kept while other pages and tabs are shown. */
export function BulkProcessor() {
  const { data: user } = useQuery({
    queryKey: userKey,
    queryFn: (context) => fetchQueryKeyOrNull(context) as Promise<User | null>,
  });
  const id = user?.id;
  useEffect(() => {
    if (id !== undefined) void openSession(id);
  }, [id]);
  const listOf = useBulk(({ userId }) => userId);
  const place = useFocusFallback<HTMLElement>(String(useBulk(({ rows }) => rows.length)));
  return (
    <section ref={place} tabIndex={-1} aria-label={text.region} className="scroll-mt-4 outline-none">
      {user && listOf === user.id ? <BulkWorkspace tier={user.subscriptionTier} /> : <Loading />}
    </section>
  );
}
