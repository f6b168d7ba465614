import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { randomId } from '../../../lib/browser/random-id.ts';
import { findImageKey, isImageShared } from '../../../lib/images/image-store.ts';
import { forgetLeftJob, saveLeftJob } from './left-jobs.ts';

export const jobKey = (id: string | undefined) => [apiRoutes.listJobs.path, id] as const;

// Stored in sessionStorage, because a reload of the tab must continue the run.
const jobName = 'uprez.job';
const jobImageName = 'uprez.job-image';
const keyName = 'uprez.run-key';
const pendingName = 'uprez.pending-run';

type RunKey = { key: string; request: string };

/**
 * Returns the ID of the job for this tab's image. Undefined if the tab has no job, or if the image was replaced after
 * the job was saved.
 */
export function findJobId(): string | undefined {
  const imageKey = sessionStorage.getItem(jobImageName);
  if (imageKey !== null && imageKey !== findImageKey()) return undefined;
  return sessionStorage.getItem(jobName) ?? undefined;
}

export function saveJobId(id: string): void {
  sessionStorage.setItem(jobName, id);
  const imageKey = findImageKey();
  if (imageKey === undefined) {
    sessionStorage.removeItem(jobImageName);
    return;
  }
  sessionStorage.setItem(jobImageName, imageKey);
  saveLeftJob({ jobId: id, imageKey });
}

export function deleteJobId(): void {
  const id = sessionStorage.getItem(jobName) ?? undefined;
  sessionStorage.removeItem(jobName);
  sessionStorage.removeItem(jobImageName);
  // Keeps the job in the list if a duplicate of this tab may still be following it.
  if (id !== undefined) void isImageShared().then((isShared) => isShared || forgetLeftJob(id));
}

/** Returns the idempotency key for a request. The key stays the same until the outcome of the request is known. */
export function getRunKey(request: string): string {
  const saved: RunKey | null = JSON.parse(sessionStorage.getItem(keyName) ?? 'null');
  if (saved?.request === request) return saved.key;
  const key = randomId();
  sessionStorage.setItem(keyName, JSON.stringify({ key, request } satisfies RunKey));
  return key;
}

export const deleteRunKey = () => sessionStorage.removeItem(keyName);

// The pending run is one that a visitor requested. It starts after the visitor signs in.
export const savePendingRun = () => sessionStorage.setItem(pendingName, 'true');
export const hasPendingRun = () => sessionStorage.getItem(pendingName) !== null;
export const deletePendingRun = () => sessionStorage.removeItem(pendingName);
