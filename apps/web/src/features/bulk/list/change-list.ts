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

/** Take files into the list; one toast sums up what was not taken. */
export function addFiles(intake: Intake): void {
  const { cut, ...list } = takeIn(getBulk(), intake);
  setBulk(list);
  const refused = intake.refused.length;
  if (cut > 0) showToast({ ...text.tooMany, destructive: true });
  else if (refused > 0) showToast({ ...text.refused(refused, intake.accepted.length), destructive: true });
  sendFiles();
}

/** Take what was left aside into the room that there is now. */
export const addAside = (): void => setBulk((state) => takeFromAside(state));

/** A batch that only waits for files which will not come is ended, so that their units come back. */
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

/** Take a row out of the list. */
export function removeRow(row: Row): void {
  if (!canRemove(row)) return;
  setBulk(({ rows }) => ({ rows: rows.filter(({ id }) => id !== row.id) }));
  release([row]);
}

/** Take everything out of the list; what was left aside moves up. */
export function clearList(): void {
  const { aside, rows, ...state } = getBulk();
  if (!canClear({ rows, starting: state.starting })) return;
  setBulk({ ...emptyList, ...takeFromAside({ rows: [], aside }) });
  release(rows);
}

/** Take what is not accepted out of the list. */
export const removeRejected = (): void =>
  setBulk(({ rows }) => ({ rows: rows.filter(({ status }) => status !== 'rejected') }));

/** Stop everything that is under way; what is finished stays. */
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

/** Stop one job. */
export async function cancelRow({ at }: Row): Promise<void> {
  if (!at?.jobId) return;
  try {
    await api.deleteJob({ params: { id: at.jobId } });
  } catch (error) {
    showErrorToast(text.cancelFailed, error);
  }
  await lookAt(at.batchId);
}
