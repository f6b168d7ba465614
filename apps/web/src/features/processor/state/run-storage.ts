import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { randomId } from '../../../lib/browser/random-id.ts';

export const jobKey = (id: string | undefined) => [apiRoutes.listJobs.path, id] as const;

// The run in sessionStorage, so that a reload of the tab continues it.
const jobName = 'uprez.job';
const keyName = 'uprez.run-key';
const pendingName = 'uprez.pending-run';

type RunKey = { key: string; request: string };

export const saveJobId = (id: string) => sessionStorage.setItem(jobName, id);
export const deleteJobId = () => sessionStorage.removeItem(jobName);
export const findJobId = () => sessionStorage.getItem(jobName) ?? undefined;

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
