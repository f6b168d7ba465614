import { api } from '../../../lib/api/api.ts';
import { hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { retry } from '../../../lib/api/retry.ts';
import { bulkMessages as text } from '../messages.ts';
import { getBulk, setBulk } from '../state/bulk-store.ts';
import { isActive } from '../state/row.ts';
import { isSignedOut, pauseForSignIn, refetchBatch, storeBatch } from './poll-batches.ts';

/** Whether each batch is paused on the server. A batch without an entry isn't paused. */
const pausedOnServer = new Map<string, boolean | 'unknown'>();
const syncingBatchIds = new Set<string>();

/** Records whether a batch is paused on the server. Called after a reload. */
export const recordPause = (batchId: string, paused: boolean | 'unknown'): void =>
  void pausedOnServer.set(batchId, paused);

let abortController = new AbortController();

export function stopSyncing(): void {
  abortController.abort(new Error('stopped'));
  abortController = new AbortController();
}

function listActiveBatchIds(): Set<string> {
  const { rows, signedOut } = getBulk();
  return new Set(signedOut ? [] : rows.flatMap((row) => (isActive(row) && row.item?.batchId) || []));
}

/**
 * Pauses or resumes the active batches on the server until they match the list. Sends one request at a time per batch,
 * because the server may handle requests in any order. Safe to call at any time.
 */
export async function syncPauses(): Promise<void> {
  await Promise.all([...listActiveBatchIds()].map(syncPause));
}

async function syncPause(id: string): Promise<void> {
  if (syncingBatchIds.has(id)) return;
  syncingBatchIds.add(id);
  const isSynced = () => (pausedOnServer.get(id) ?? false) === getBulk().paused || !listActiveBatchIds().has(id);
  while (!isSynced() && (await sendPause(id)));
  syncingBatchIds.delete(id);
}

/** Tells the server whether a batch is paused. Returns false if the request failed or was aborted. */
async function sendPause(id: string): Promise<boolean> {
  let { paused } = getBulk();
  const { signal } = abortController;
  const send = () => {
    paused = getBulk().paused;
    pausedOnServer.set(id, paused);
    return api.pauseBatch({ params: { id }, body: { paused } });
  };
  try {
    storeBatch((await retry(send, { signal, onRetry: () => setBulk({ stalled: true }) })).data);
    return true;
  } catch (error) {
    const isUnknown = signal.aborted || isSignedOut(error);
    pausedOnServer.set(id, isUnknown ? 'unknown' : !paused);
    if (signal.aborted) return false;
    if (isSignedOut(error)) pauseForSignIn();
    else if (hasErrorCode(error, 'batch_not_found')) await refetchBatch(id);
    else showFailure(paused, error);
    return false;
  }
}

/** Shows an error toast, and reverts the list's `paused` state. */
function showFailure(paused: boolean, error: unknown) {
  showErrorToast(paused ? text.pauseFailed : text.resumeFailed, error);
  if (getBulk().paused === paused) setBulk({ paused: !paused });
}
