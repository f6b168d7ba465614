import { setBulk } from '../state/bulk-store.ts';
import { sendFiles } from './send-files.ts';

/** Stops sending files. Uploads in progress are completed, and images that are already uploaded are processed. */
export const pauseRun = (): void => setBulk({ paused: true });

export function resumeRun(): void {
  setBulk({ paused: false });
  sendFiles();
}
