import { api } from '../../../lib/api/api.ts';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { bulkMessages as text } from '../messages.ts';
import { addExtra, addToList, type Intake } from '../state/add-to-list.ts';
import { emptyList, getBulk, setBulk } from '../state/bulk-store.ts';
import { canClear, canRemove, isActive, isFileMissing, type Row } from '../state/row.ts';
import { refetchBatch, storeBatch } from './poll-batches.ts';
import { sendFiles, stopSending } from './send-files.ts';

/** Adds files to the list. One toast summarizes the rejected ones. */
export function addFiles(intake: Intake): void {
  const { cut, ...list } = addToList(getBulk(), intake);
  setBulk(list);
  const refused = intake.refused.length;
  if (cut > 0) showToast({ ...text.tooMany, destructive: true });
  else if (refused > 0) showToast({ ...text.refused(refused, intake.accepted.length), destructive: true });
  sendFiles();
}

export const addExtraFiles = (): void => setBulk((state) => addExtra(state));

/** Cancels batches that only wait for removed files, to release their units. */
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

/** Clears the list, then adds the files that did not fit before. */
export function clearList(): void {
  const { extraFiles, rows, ...state } = getBulk();
  if (!canClear({ rows, starting: state.starting })) return;
  setBulk({ ...emptyList, ...addExtra({ rows: [], extraFiles }) });
  cancelAbandonedBatches(rows);
}

export const removeRejected = (): void =>
  setBulk(({ rows }) => ({ rows: rows.filter(({ status }) => status !== 'rejected') }));

/** Cancels all running batches. Finished rows keep their results. */
export async function cancelAll(): Promise<void> {
  const rows = getBulk().rows.filter((row) => isActive(row) || (isFileMissing(row) && row.awaitsFile));
  const ids = [...new Set(rows.flatMap(({ item }) => item?.batchId ?? []))];
  setBulk({ cancelling: true });
  stopSending();
  try {
    for (const id of ids) storeBatch((await api.cancelBatch({ params: { id } })).data);
  } catch (error) {
    showErrorToast(text.cancelFailed, error);
  } finally {
    setBulk({ cancelling: false });
    sendFiles();
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
