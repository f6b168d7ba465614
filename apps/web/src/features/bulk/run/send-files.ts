import { ApiError } from '@uprez/client/api-error';
import type { BatchItem } from '@uprez/contracts/schemas/batch';
import { errorSentence } from '../../../lib/api/error-sentence.ts';
import { patiently } from '../../../lib/api/patiently.ts';
import { uploadFile } from '../../../lib/api/upload-file.ts';
import { changeRow, findRow, getBulk, setBulk } from '../bulk-store.ts';
import { isFileFault } from '../list/file-faults.ts';
import { isToSend, type Row } from '../list/row.ts';
import { applyItem } from './apply-batch.ts';
import { followBatches, lookAt } from './follow-batches.ts';
import { isSignedOut, sessionEnded } from './session-end.ts';

/** Files that are sent at once: few enough to leave the browser connections for everything else. */
const atOnce = 4;

let senders = 0;
let stop = new AbortController();

/** Stop sending; what was under way waits for its turn again. */
export function stopSending(): void {
  stop.abort(new Error('stopped'));
  stop = new AbortController();
}

/** Send what waits to be sent, a few at a time. May be called as often as one likes. */
export function sendFiles(): void {
  while (senders < atOnce && takeTurn()) senders += 1;
}

/** Let the first file that waits go; false: there is none. */
function takeTurn(): boolean {
  const { rows, asked, signedOut, cancelling } = getBulk();
  const row = signedOut || cancelling ? undefined : rows.find(isToSend);
  if (!row) return false;
  if (!asked.includes(row.id)) setBulk({ asked: [...asked, row.id] });
  changeRow(row.id, (found) => ({ ...found, status: 'uploading', sent: 0 }));
  void sendRow(row, stop.signal).finally(() => {
    senders -= 1;
    sendFiles();
  });
  return true;
}

async function sendRow(row: Row, signal: AbortSignal): Promise<void> {
  const { id, at, file } = row;
  if (!at || !file) return;
  const { batchId, itemId } = at;
  const onPercent = (sent: number) => {
    setBulk({ stalled: false });
    changeRow(id, (now) => (now.status === 'uploading' ? { ...now, sent } : now));
  };
  const send = () =>
    uploadFile({ route: 'putBatchItem', params: { id: batchId, itemId }, body: file, signal, onPercent });
  try {
    const item = await patiently(send, { signal, onPause: () => setBulk({ stalled: true }) });
    changeRow(id, (now) => applyItem({ ...now, status: 'queued' }, batchId, item as BatchItem));
    followBatches();
  } catch (error) {
    endSending(row, error, signal);
  }
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined);

/** What is wrong with a file is its own affair; a stop or an ended session lets it wait again. */
function endSending({ id, at }: Row, error: unknown, { aborted }: AbortSignal) {
  const row = findRow(id);
  if (row?.status !== 'uploading') return;
  if (aborted || isSignedOut(error)) {
    changeRow(id, (found) => ({ ...found, status: 'pending', sent: 0 }));
    if (isSignedOut(error)) sessionEnded();
    return;
  }
  changeRow(id, (found) => ({
    ...found,
    status: 'failed',
    sent: 0,
    refused: isFileFault(codeOf(error)),
    error: errorSentence(error),
  }));
  // Whether it failed there too, or still waits there, is told by its batch.
  if (at) void lookAt(at.batchId);
}
