import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useRef } from 'react';
import { useDashboard } from '../../../lib/api/queries.ts';
import { deletePendingRun, hasPendingRun } from '../state/run-storage.ts';

type PendingRun = { user: User | null; isBlocked: boolean; start: () => void };

/**
 * Starts the run that the user requested before signing in, once the quota is known. Discards the run if a limit blocks
 * it.
 */
export function usePendingRun({ user, ...run }: PendingRun): void {
  const { isPending } = useDashboard({ enabled: user !== null });
  const isReady = user !== null && !isPending;
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isReady || !hasPendingRun()) return;
    deletePendingRun();
    if (!latest.current.isBlocked) latest.current.start();
  }, [isReady]);
}

/** Discards the pending run when a visitor returns without signing in. */
export function useAbandonedRun(user: User | null): void {
  const hasUser = useRef(user !== null);
  // Discards only a run from an earlier visit to the page. If the session ends during this visit, the run is kept for
  // the sign-in.
  useEffect(() => {
    if (!hasUser.current) deletePendingRun();
  }, []);
  useEffect(() => {
    if (user) return;
    // The back button may restore the page from the back/forward cache, which doesn't run the effect above.
    const restore = ({ persisted }: PageTransitionEvent) => persisted && deletePendingRun();
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, [user]);
}
