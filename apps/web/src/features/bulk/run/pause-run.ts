import { setBulk } from '../state/bulk-store.ts';
import { pollBatches } from './poll-batches.ts';
import { sendFiles } from './send-files.ts';
import { syncPauses } from './sync-pauses.ts';

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

/** Stops sending files, and starting images. Uploads and images in progress are completed. */
export const pauseRun = (): Promise<void> => setPaused(true);

export const resumeRun = (): Promise<void> => setPaused(false);
