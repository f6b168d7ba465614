import { getBulk, setBulk } from '../state/bulk-store.ts';
import { isActive } from '../state/row.ts';
import { pauseBatch, pollBatches } from './poll-batches.ts';
import { sendFiles } from './send-files.ts';

async function pauseBatches(paused: boolean): Promise<void> {
  const ids = new Set(getBulk().rows.flatMap((row) => (isActive(row) && row.item?.batchId) || []));
  for (const id of ids) await pauseBatch(id, paused);
}

/** Stops sending files, and starting images. Uploads and images in progress are completed. */
export async function pauseRun(): Promise<void> {
  setBulk({ paused: true });
  await pauseBatches(true);
}

export async function resumeRun(): Promise<void> {
  setBulk({ paused: false });
  sendFiles();
  await pauseBatches(false);
  pollBatches();
}
