import { useQuery } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { type ReactNode, useEffect } from 'react';
import { userKey } from '../../lib/api/queries.ts';
import { fetchQueryKeyOrNull } from '../../lib/api/query-client.ts';
import { saveOwner } from '../../lib/session/session-lifecycle.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { AuthContext } from './auth-context.ts';
import { useSessionWrites } from './use-session-writes.ts';

/** Loads the current user before anything else is rendered. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: userKey,
    queryFn: (context) => fetchQueryKeyOrNull(context) as Promise<User | null>,
  });
  const writes = useSessionWrites();
  const id = data?.id;
  useEffect(() => {
    if (id !== undefined) saveOwner(id);
  }, [id]);
  if (isPending || isError)
    return (
      <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-4 text-center">
        {isPending ? (
          <Spinner label={messages.session.loading} />
        ) : (
          <>
            <h1 className="text-lg">{messages.session.failed}</h1>
            <Button onClick={() => void refetch()}>{messages.session.retry}</Button>
          </>
        )}
      </main>
    );
  return <AuthContext value={{ user: data, ...writes }}>{children}</AuthContext>;
}
