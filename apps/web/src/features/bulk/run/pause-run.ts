import { api } from '../../../lib/api/api.ts';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { bulkMessages as text } from '../messages.ts';
import { getBulk, setBulk } from '../state/bulk-store.ts';
import { isActive } from '../state/row.ts';
import { pollBatches, storeBatch } from './poll-batches.ts';
import { sendFiles } from './send-files.ts';

/** Pauses or resumes the images that are uploaded and not started. */
async function pauseBatches(paused: boolean): Promise<void> {
  const ids = new Set(getBulk().rows.flatMap((row) => (isActive(row) && row.item?.batchId) || []));
  for (const id of ids) storeBatch((await api.pauseBatch({ params: { id }, body: { paused } })).data);
}

/** Stops sending files, and starting images. Uploads and images in progress are completed. */
export async function pauseRun(): Promise<void> {
  setBulk({ paused: true });
  await pauseBatches(true).catch((error: unknown) => showErrorToast(text.pauseFailed, error));
}

export async function resumeRun(): Promise<void> {
  setBulk({ paused: false });
  sendFiles();
  await pauseBatches(false).catch((error: unknown) => showErrorToast(text.resumeFailed, error));
  pollBatches();
}
