import PQueue from 'p-queue';
import { dashboardKey } from '../../lib/api/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { ignoreErrors } from '../../lib/browser/ignore-errors.ts';
import { setUnloadGuard } from '../../lib/browser/unload-guard.ts';
import { deleteExpiredFiles, deleteFiles, findFile, saveFile } from '../../lib/images/file-store.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { onClear } from '../../lib/session/account-data.ts';
import { bulkMessages as text } from './messages.ts';
import { pollBatches, refetchBatch } from './run/poll-batches.ts';
import { repeatRequests } from './run/run-rows.ts';
import { sendFiles, stopSending } from './run/send-files.ts';
import { recordPause, stopSyncing, syncPauses } from './run/sync-pauses.ts';
import { type BulkState, emptyList, findRow, getBulk, setBulk, useBulk } from './state/bulk-store.ts';
import { isActive, isAwaitingUpload, isBusy, type Row, rowsOfRun } from './state/row.ts';
import { isUnsent, parseList, selectStoredFiles, serializeList } from './state/saved-list.ts';

const savedFields = ['rows', 'extraFiles', 'paused', 'requests', 'unconfirmedRequest'] as const;
const saveDelayMs = 300;
/** After a reload, the browser releases the previous page's lock with a short delay. */
const lockTimeoutMs = 1_000;
const storageKeyOf = (userId: string) => `uprez.bulk.${userId}`;
const fileKey = (rowId: string) => `bulk/${rowId}`;

/**
 * Acquires the Web Lock for a user's list and holds it until the tab closes. If another tab holds the lock, returns
 * false, and calls `onLate` once that tab has closed.
 */
async function acquireListLock(userId: string, onLate: () => void): Promise<boolean> {
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve(false);
    }, lockTimeoutMs);
    const holdForever = () => {
      clearTimeout(timer);
      if (isLate) onLate();
      else resolve(true);
      return new Promise<void>(() => {});
    };
    navigator.locks.request(storageKeyOf(userId), holdForever).catch(() => resolve(false));
  });
}

const storedRowIds = new Set<string>();
const fileUpdateQueue = new PQueue({ concurrency: 1 });

async function updateStoredFiles() {
  const wanted = selectStoredFiles(getBulk().rows);
  const obsolete = [...storedRowIds].filter((id) => !wanted.has(id));
  for (const id of obsolete) storedRowIds.delete(id);
  if (obsolete.length > 0) await deleteFiles(obsolete.map(fileKey));
  for (const [id, file] of wanted) {
    // Skips rows that were removed while other files were being stored.
    if (storedRowIds.has(id) || !findRow(id)) continue;
    storedRowIds.add(id);
    await saveFile(fileKey(id), file);
  }
}

function saveOnChange(userId: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const { rows, extraFiles } = getBulk();
    try {
      if (rows.length === 0 && extraFiles.length === 0) localStorage.removeItem(storageKeyOf(userId));
      else localStorage.setItem(storageKeyOf(userId), serializeList(getBulk(), Date.now()));
    } catch {
      // Storage is full or denied, so the list lasts only until the page is closed.
    }
  };
  useBulk.subscribe((state, before) => {
    if (state.userId !== userId) return;
    if (savedFields.every((field) => state[field] === before[field])) return;
    timer ??= setTimeout(() => {
      save();
      void fileUpdateQueue.add(updateStoredFiles);
    }, saveDelayMs);
  });
  window.addEventListener('pagehide', () => getBulk().userId === userId && save());
}

const readSavedList = (userId: string) =>
  ignoreErrors(() => parseList(localStorage.getItem(storageKeyOf(userId)), Date.now()));

/** Loads the saved list and the files that are still stored. Refreshes the list's batches from the server. */
async function restoreList(userId: string) {
  const saved = readSavedList(userId);
  if (!saved) return setBulk({ ...emptyList, userId });
  const rows = await Promise.all(
    saved.rows.map(async (row): Promise<Row> => {
      const isSent = row.item && !row.awaitsFile && row.status !== 'failed';
      const file = isSent ? undefined : await findFile(fileKey(row.id));
      if (file) storedRowIds.add(row.id);
      return { ...row, file };
    }),
  );
  setBulk({ ...emptyList, ...saved, rows, userId, settingsOpen: rows.length === 0 });
  const batchIds = new Set(rows.flatMap(({ item }) => item?.batchId ?? []));
  await Promise.all([...batchIds].map(refetchBatch));
  const { batches } = getBulk();
  for (const id of batchIds) recordPause(id, batches[id]?.paused ?? 'unknown');
  // Pauses the list if a batch is paused, because the tab may have been closed before the pause was saved.
  if (Object.values(batches).some(({ paused }) => paused)) setBulk({ paused: true });
}

let openUserId: string | undefined;

/** Clears the list. Saving the empty list then deletes the stored one. */
function clearMemory() {
  stopSending();
  stopSyncing();
  setBulk({ ...emptyList });
}

/** Opens a user's list, replacing another user's. Restores the saved list, and resumes its uploads and polling. */
export async function openSession(userId: string): Promise<void> {
  if (openUserId === userId) return resumeSession();
  if (openUserId !== undefined) {
    stopSending();
    stopSyncing();
  } else {
    watchRuns();
    guardUnsentFiles();
    onClear(clearMemory);
  }
  openUserId = userId;
  void deleteExpiredFiles();
  const hasLock = await acquireListLock(userId, () => void takeOverList(userId));
  if (hasLock) await restoreAndSaveList(userId);
  else setBulk({ ...emptyList, userId, keeps: false });
  await resumeSession();
}

async function restoreAndSaveList(userId: string) {
  setBulk({ keeps: true });
  await restoreList(userId);
  saveOnChange(userId);
}

/** Takes over the list of a tab that was closed, unless this tab has its own list. */
async function takeOverList(userId: string) {
  const { userId: shownUserId, rows, extraFiles } = getBulk();
  if (shownUserId !== userId || rows.length > 0 || extraFiles.length > 0) return;
  await restoreAndSaveList(userId);
  await resumeSession();
}

async function resumeSession() {
  setBulk({ signedOut: false });
  await repeatRequests();
  sendFiles();
  pollBatches();
  await syncPauses();
}

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
  // Clears the last milestone announcement, because screen readers read the toast.
  announce('');
}

type RunState = Pick<BulkState, 'rows' | 'runIds'>;

function countFinishedQuarters({ rows, runIds }: RunState): number {
  const run = rowsOfRun(rows, runIds);
  const over = run.filter((row) => row.status !== 'pending' && !isActive(row)).length;
  return run.length === 0 ? 0 : Math.floor((over / run.length) * (100 / milestonePercent));
}

/**
 * Returns the announcement for a milestone that a run has just reached, or undefined without one. The end of a run
 * isn't a milestone.
 */
export function describeMilestone(state: RunState, before: RunState): string | undefined {
  const [reached, reachedBefore] = [
    countFinishedQuarters(state),
    state.runIds === before.runIds ? countFinishedQuarters(before) : 0,
  ];
  return reached > reachedBefore && reached < 4 ? text.milestone(reached * milestonePercent) : undefined;
}

/** Announces the milestones and outcomes of runs, whichever page is open. */
function watchRuns(): () => void {
  return useBulk.subscribe((state, before) => {
    if (state.rows === before.rows && state.starting === before.starting) return;
    if (state.runIds.length === 0) return;
    const milestone = describeMilestone(state, before);
    if (milestone) announce(milestone);
    if (!isBusy(state) && state.requests.length === 0) showOutcome(state);
  });
}

type GuardedState = Pick<BulkState, 'rows' | 'keeps' | 'signedOut' | 'paused'>;

/** Whether leaving the page would interrupt an upload or lose files. */
export function wouldLoseFiles({ rows, keeps, signedOut, paused }: GuardedState): boolean {
  // Allows the redirect to the sign-in page after the session has ended.
  if (signedOut) return false;
  if (rows.some((row) => row.status === 'uploading' || (!paused && isAwaitingUpload(row)))) return true;
  const unsent = rows.filter((row) => row.file && isUnsent(row)).length;
  return unsent > (keeps ? selectStoredFiles(rows).size : 0);
}

function guardUnsentFiles(): void {
  useBulk.subscribe((state, before) => {
    const watched = ['rows', 'keeps', 'signedOut', 'paused'] as const;
    if (watched.some((field) => state[field] !== before[field])) setUnloadGuard('files', wouldLoseFiles(state));
  });
}
