import { dashboardKey } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { bulkMessages as text } from '../messages.ts';
import { type BulkState, setBulk, useBulk } from '../state/bulk-store.ts';
import { isActive, isAwaitingUpload, isBusy, type Row, rowsOfRun } from '../state/row.ts';
import { isUnsent, selectStoredFiles } from '../state/saved-list.ts';

const milestonePercent = 25;

function showOutcome({ rows, runIds }: BulkState) {
  const run = rowsOfRun(rows, runIds);
  const count = (status: Row['status']) => run.filter((row) => row.status === status).length;
  const [done, failed, cancelled] = [count('completed'), count('failed'), count('cancelled')];
  setBulk({ runIds: [], paused: false });
  void queryClient.refetchQueries({ queryKey: dashboardKey });
  if (done + failed + cancelled === 0) return;
  const title = done + failed > 0 ? text.finished(done, failed) : text.cancelledAll(cancelled);
  showToast({ title, destructive: failed > 0 });
  // Clears the last milestone, because screen readers read the toast.
  announce('');
}

type RunState = Pick<BulkState, 'rows' | 'runIds'>;

/** Returns the number of finished quarters of the run, from 0 to 4. */
function countFinishedQuarters({ rows, runIds }: RunState): number {
  const run = rowsOfRun(rows, runIds);
  const over = run.filter((row) => row.status !== 'pending' && !isActive(row)).length;
  return run.length === 0 ? 0 : Math.floor((over / run.length) * (100 / milestonePercent));
}

/**
 * Returns the announcement of a milestone that a run has just reached, or undefined if there is none. The end of a run
 * isn't a milestone.
 */
export function milestoneOf(state: RunState, before: RunState): string | undefined {
  const [reached, reachedBefore] = [
    countFinishedQuarters(state),
    state.runIds === before.runIds ? countFinishedQuarters(before) : 0,
  ];
  return reached > reachedBefore && reached < 4 ? text.milestone(reached * milestonePercent) : undefined;
}

/** Announces milestones and outcomes of runs on every page. */
export function watchRuns(): () => void {
  return useBulk.subscribe((state, before) => {
    if (state.rows === before.rows && state.starting === before.starting) return;
    if (state.runIds.length === 0) return;
    const milestone = milestoneOf(state, before);
    if (milestone) announce(milestone);
    if (!isBusy(state) && state.requests.length === 0) showOutcome(state);
  });
}

type GuardedState = Pick<BulkState, 'rows' | 'keeps' | 'signedOut' | 'paused'>;

/** Whether leaving the page would interrupt an upload or lose files. */
export function wouldLoseFiles({ rows, keeps, signedOut, paused }: GuardedState): boolean {
  // Don't block the redirect to the sign-in page after the session has ended.
  if (signedOut) return false;
  if (rows.some((row) => row.status === 'uploading' || (!paused && isAwaitingUpload(row)))) return true;
  const unsent = rows.filter((row) => row.file && isUnsent(row)).length;
  return unsent > (keeps ? selectStoredFiles(rows).size : 0);
}

export function guardUnsentFiles(): void {
  useBulk.subscribe((state, before) => {
    const watched = ['rows', 'keeps', 'signedOut', 'paused'] as const;
    if (watched.some((field) => state[field] !== before[field])) setUnloadGuard('files', wouldLoseFiles(state));
  });
}
