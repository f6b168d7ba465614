import { api } from '../../../lib/api/api.ts';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { bulkMessages as text } from '../messages.ts';
import { type AddedFiles, addToList, moveExtraToList, omitHiddenFiles } from '../state/add-to-list.ts';
import { changeRow, emptyList, getBulk, setBulk } from '../state/bulk-store.ts';
import { canClear, canRemove, isActive, isFileMissing, type Row, resetRow } from '../state/row.ts';
import { repairOf } from '../state/row-format.ts';
import { pollBatches, refetchBatch, storeBatch } from './poll-batches.ts';
import { sendFiles, stopSending } from './send-files.ts';
import { syncPauses } from './sync-pauses.ts';

/** Adds files to the list, except for hidden ones. Rejected files are summarized in one toast. */
export function addFiles(files: AddedFiles): void {
  const intake = omitHiddenFiles(files);
  if (intake.accepted.length + intake.refused.length === 0) return;
  const { cut, ...list } = addToList(getBulk(), intake);
  setBulk({ ...list, settingsOpen: false, cleared: undefined });
  const refused = intake.refused.length;
  if (cut > 0) showToast({ ...text.tooMany, destructive: true });
  else if (refused > 0) showToast({ ...text.refused(refused), destructive: true });
  sendFiles();
}

export const addExtraFiles = (): void => setBulk((state) => moveExtraToList(state));

/** Cancels batches in which only removed files were still missing, which releases their credits. */
function cancelAbandonedBatches(removed: readonly Row[]) {
  const { rows } = getBulk();
  const ids = new Set(removed.filter(({ awaitsFile }) => awaitsFile).flatMap(({ item }) => item?.batchId ?? []));
  for (const id of ids) {
    const isOver = rows.every((row) => row.item?.batchId !== id || !(row.awaitsFile || isActive(row)));
    if (isOver)
      void api.cancelBatch({ params: { id } }).then(
        ({ data }) => storeBatch(data),
        () => {},
      );
  }
}

export function removeRow(row: Row): void {
  if (!canRemove(row)) return;
  setBulk(({ rows }) => ({ rows: rows.filter(({ id }) => id !== row.id) }));
  cancelAbandonedBatches([row]);
}

/**
 * Changes a row's options: its next result won't be larger than its original file. Returns the row, which is ready to
 * run again.
 */
export function makeRepairedRow(row: Row): Row {
  const recipe = getBulk().batches[row.item?.batchId ?? '']?.recipe;
  const repaired = { ...resetRow(row), options: { ...row.options, ...repairOf(row, recipe) } };
  changeRow(row.id, () => repaired);
  return repaired;
}

/** Clears the list, then adds the files that previously didn't fit. Can be undone. */
export function clearList(): void {
  const { extraFiles, rows, batches, starting } = getBulk();
  if (!canClear({ rows, starting })) return;
  const next = moveExtraToList({ rows: [], extraFiles });
  setBulk({ ...emptyList, ...next, settingsOpen: next.rows.length === 0, cleared: { rows, extraFiles, batches } });
  announce(text.cleared(rows.length));
  cancelAbandonedBatches(rows);
}

/**
 * Restores the cleared list. Rows that were waiting for their files start over, because clearing may have canceled
 * their batches.
 */
export function undoClear(): void {
  const { cleared } = getBulk();
  if (!cleared) return;
  const rows = cleared.rows.map((row) => (row.awaitsFile ? resetRow(row) : row));
  setBulk({ ...cleared, rows, settingsOpen: false, cleared: undefined });
}

export const removeRejectedRows = (): void =>
  setBulk(({ rows }) => ({ rows: rows.filter(({ status }) => status !== 'rejected') }));

/** Cancels all running batches. Finished rows keep their results. */
export async function cancelAll(): Promise<void> {
  const rows = getBulk().rows.filter((row) => isActive(row) || (isFileMissing(row) && row.awaitsFile));
  const ids = [...new Set(rows.flatMap(({ item }) => item?.batchId ?? []))];
  setBulk({ cancelling: true, paused: false });
  stopSending();
  try {
    for (const id of ids) storeBatch((await api.cancelBatch({ params: { id } })).data);
  } catch (error) {
    showErrorToast(text.cancelFailed, error);
  } finally {
    setBulk({ cancelling: false });
    sendFiles();
    void syncPauses();
  }
}

export async function cancelRow({ item }: Row): Promise<void> {
  if (!item?.jobId) return;
  try {
    await api.deleteJob({ params: { id: item.jobId } });
  } catch (error) {
    showErrorToast(text.cancelFailed, error);
  }
  await refetchBatch(item.batchId);
}

async function setPaused(paused: boolean): Promise<void> {
  setBulk({ paused });
  sendFiles();
  pollBatches();
  await syncPauses();
  // If the server rejected the change, `paused` has been reverted, so sync everything again.
  sendFiles();
  pollBatches();
  await syncPauses();
}

/**
 * Pauses the run: no further files are uploaded, and no further images start. Uploads and images in progress are
 * completed.
 */
export const pauseRun = (): Promise<void> => setPaused(true);

export const resumeRun = (): Promise<void> => setPaused(false);
