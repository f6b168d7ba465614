import { ApiError } from '@uprez/client/api-error';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { BatchItem } from '@uprez/contracts/schemas/jobs/batch';
import PQueue from 'p-queue';
import { describeError } from '../../../lib/api/api-errors.ts';
import { retry } from '../../../lib/api/retry.ts';
import { uploadFile } from '../../../lib/api/upload-file.ts';
import { isFileError } from '../../../lib/images/is-file-error.ts';
import { changeRow, findRow, getBulk, setBulk } from '../state/bulk-store.ts';
import { isAwaitingUpload, type Row } from '../state/row.ts';
import { applyItem } from './apply-batch.ts';
import { isSignedOut, pauseForSignIn, pollBatches, refetchBatch } from './poll-batches.ts';
import { syncPauses } from './sync-pauses.ts';

/** Limits concurrent uploads, because the browser needs free connections for other requests. */
const uploadQueue = new PQueue({ concurrency: 4 });

let abortController = new AbortController();

/** Aborts all uploads. Their rows become pending again. */
export function stopSending(): void {
  uploadQueue.clear();
  abortController.abort(new Error('stopped'));
  abortController = new AbortController();
}

/** Queues one upload for each row that is waiting for its upload. Safe to call at any time. */
export function sendFiles(): void {
  const waiting = getBulk().rows.filter(isAwaitingUpload).length;
  for (let queued = uploadQueue.size; queued < waiting; queued += 1) void uploadQueue.add(sendNextRow);
}

/** Uploads the first waiting row. Does nothing if the session has ended, or if the run is paused or being canceled. */
async function sendNextRow(): Promise<void> {
  const { rows, runIds, signedOut, cancelling, paused } = getBulk();
  const row = signedOut || cancelling || paused ? undefined : rows.find(isAwaitingUpload);
  if (!row) return;
  if (!runIds.includes(row.id)) setBulk({ runIds: [...runIds, row.id] });
  changeRow(row.id, (found) => ({ ...found, status: 'uploading', sent: 0 }));
  await sendRow(row, abortController.signal);
  sendFiles();
}

async function sendRow(row: Row, signal: AbortSignal): Promise<void> {
  const { id, item, file } = row;
  if (!item || !file) return;
  const { batchId, itemId } = item;
  const onPercent = (sent: number) => {
    setBulk({ stalled: false });
    changeRow(id, (now) => (now.status === 'uploading' ? { ...now, sent } : now));
  };
  const send = () =>
    uploadFile({ route: apiRoutes.putBatchItem, params: { id: batchId, itemId }, body: file, signal, onPercent });
  try {
    const item = await retry(send, { signal, onRetry: () => setBulk({ stalled: true }) });
    changeRow(id, (now) => applyItem({ ...now, status: 'queued' }, batchId, item as BatchItem));
    pollBatches();
    void syncPauses().then(sendFiles);
  } catch (error) {
    endSending(row, error, signal);
  }
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined);

/** Marks a row as failed. If the upload was aborted or the session has ended, the row becomes pending again instead. */
function endSending({ id, item }: Row, error: unknown, { aborted }: AbortSignal) {
  const row = findRow(id);
  if (row?.status !== 'uploading') return;
  if (aborted || isSignedOut(error)) {
    changeRow(id, (found) => ({ ...found, status: 'pending', sent: 0 }));
    if (isSignedOut(error)) pauseForSignIn();
    return;
  }
  changeRow(id, (found) => ({
    ...found,
    status: 'failed',
    sent: 0,
    isInvalid: isFileError(codeOf(error)),
    error: describeError(error),
  }));
  // Refetches the batch, because the server may have received the file despite the error.
  if (item) void refetchBatch(item.batchId);
}
