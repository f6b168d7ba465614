import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { randomId } from '../../../lib/browser/random-id.ts';
import { findImageKey } from '../../../lib/images/image-store.ts';

export const jobKey = (id: string | undefined) => [apiRoutes.listJobs.path, id] as const;

// The run in sessionStorage, so that a reload of the tab continues it.
const jobName = 'uprez.job';
const keyName = 'uprez.run-key';
const pendingName = 'uprez.pending-run';

type RunKey = { key: string; request: string };

export const findJobId = () => sessionStorage.getItem(jobName) ?? undefined;

export function saveJobId(id: string): void {
  sessionStorage.setItem(jobName, id);
  keepLeftJob(id);
}

export function deleteJobId(): void {
  const id = findJobId();
  sessionStorage.removeItem(jobName);
  if (id !== undefined && findLeftJob()?.jobId === id) forgetLeftJob();
}

// The same run in localStorage, for the visit after this tab was closed.
const leftName = 'uprez.left-job';

/** The latest job of this browser. `imageKey`: of its image in the file store. */
export type LeftJob = { jobId: string; imageKey: string };

function ignoreErrors<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    // The browser denies storage, or the entry is of another version.
    return undefined;
  }
}

function keepLeftJob(jobId: string): void {
  const imageKey = findImageKey();
  if (imageKey === undefined) return;
  ignoreErrors(() => localStorage.setItem(leftName, JSON.stringify({ jobId, imageKey } satisfies LeftJob)));
}

export const findLeftJob = (): LeftJob | undefined =>
  ignoreErrors(() => JSON.parse(localStorage.getItem(leftName) ?? 'null') as LeftJob | null) ?? undefined;

export const forgetLeftJob = (): void => void ignoreErrors(() => localStorage.removeItem(leftName));

/** The idempotency key of a request. It stays the same until the outcome of the request is known. */
export function getRunKey(request: string): string {
  const saved: RunKey | null = JSON.parse(sessionStorage.getItem(keyName) ?? 'null');
  if (saved?.request === request) return saved.key;
  const key = randomId();
  sessionStorage.setItem(keyName, JSON.stringify({ key, request } satisfies RunKey));
  return key;
}

export const deleteRunKey = () => sessionStorage.removeItem(keyName);

// A run that begins after the sign-in, because a visitor started it.
export const savePendingRun = () => sessionStorage.setItem(pendingName, 'true');
export const hasPendingRun = () => sessionStorage.getItem(pendingName) !== null;
export const deletePendingRun = () => sessionStorage.removeItem(pendingName);
