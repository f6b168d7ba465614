import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useRef } from 'react';
import { useDashboard } from '../../../lib/api/queries.ts';
import { deletePendingRun, hasPendingRun } from '../state/run-storage.ts';

type PendingRun = { user: User | null; isBlocked: boolean; start: () => void };

/** Starts the run that the user began as a visitor, once, as soon as the quota is known. A limit discards it. */
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

/** Discards the run when a visitor returns without signing in. */
export function useAbandonedRun(user: User | null): void {
  const hasUser = useRef(user !== null);
  // Only what was left by an earlier visit of the page: a session that ends now keeps the run for the sign-in.
  useEffect(() => {
    if (!hasUser.current) deletePendingRun();
  }, []);
  useEffect(() => {
    if (user) return;
    // The back button may restore the page without loading it.
    const restore = ({ persisted }: PageTransitionEvent) => persisted && deletePendingRun();
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, [user]);
}
