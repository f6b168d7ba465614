import { api } from '../../../lib/api/api.ts';
import { showErrorToast } from '../../../lib/api/show-error-toast.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { emptyList, getBulk, setBulk } from '../bulk-store.ts';
import { bulkMessages as text } from '../messages.ts';
import { lookAt, takeBatch } from '../run/follow-batches.ts';
import { sendFiles, stopSending } from '../run/send-files.ts';
import { isUnderWay, needsFile, type Row } from './row.ts';
import { canClear, canRemove } from './rules.ts';
import { type Intake, takeFromAside, takeIn } from './take-in.ts';

/** Adds files to the list. One toast summarizes the rejected ones. */
export function addFiles(intake: Intake): void {
  const { cut, ...list } = takeIn(getBulk(), intake);
  setBulk(list);
  const refused = intake.refused.length;
  if (cut > 0) showToast({ ...text.tooMany, destructive: true });
  else if (refused > 0) showToast({ ...text.refused(refused, intake.accepted.length), destructive: true });
  sendFiles();
}

/** Adds files that did not fit before. */
export const addAside = (): void => setBulk((state) => takeFromAside(state));

/** Cancels batches that only wait for removed files, to release their units. */
function release(removed: readonly Row[]) {
  const { rows } = getBulk();
  const ids = new Set(removed.filter(({ waits }) => waits).flatMap(({ at }) => at?.batchId ?? []));
  for (const id of ids) {
    const isOver = rows.every((row) => row.at?.batchId !== id || !(row.waits || isUnderWay(row)));
    if (isOver)
      void api.cancelBatch({ params: { id } }).then(
        ({ data }) => takeBatch(data),
        () => {},
      );
  }
}

export function removeRow(row: Row): void {
  if (!canRemove(row)) return;
  setBulk(({ rows }) => ({ rows: rows.filter(({ id }) => id !== row.id) }));
  release([row]);
}

/** Clears the list, then adds the files that did not fit before. */
export function clearList(): void {
  const { aside, rows, ...state } = getBulk();
  if (!canClear({ rows, starting: state.starting })) return;
  setBulk({ ...emptyList, ...takeFromAside({ rows: [], aside }) });
  release(rows);
}

export const removeRejected = (): void =>
  setBulk(({ rows }) => ({ rows: rows.filter(({ status }) => status !== 'rejected') }));

/** Cancels all running batches. Finished rows keep their results. */
export async function cancelAll(): Promise<void> {
  const rows = getBulk().rows.filter((row) => isUnderWay(row) || (needsFile(row) && row.waits));
  const ids = [...new Set(rows.flatMap(({ at }) => at?.batchId ?? []))];
  setBulk({ cancelling: true });
  stopSending();
  try {
    for (const id of ids) takeBatch((await api.cancelBatch({ params: { id } })).data);
  } catch (error) {
    showErrorToast(text.cancelFailed, error);
  } finally {
    setBulk({ cancelling: false });
    sendFiles();
  }
}

/** Cancels the job of one row. */
export async function cancelRow({ at }: Row): Promise<void> {
  if (!at?.jobId) return;
  try {
    await api.deleteJob({ params: { id: at.jobId } });
  } catch (error) {
    showErrorToast(text.cancelFailed, error);
  }
  await lookAt(at.batchId);
}
