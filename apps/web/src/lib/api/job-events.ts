import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from './queries.ts';
import { queryClient } from './query-client.ts';

type Listener = (job: Job) => void;

const reopenMs = 5_000;
const listeners = new Set<Listener>();
let source: EventSource | undefined;
let reopenTimer: ReturnType<typeof setTimeout> | undefined;

function openEventSource() {
  // An administrator who views an account gets no event stream for it.
  if (queryClient.getQueryData<User | null>(userKey)?.viewedBy) return;
  source = new EventSource(apiRoutes.events.path);
  source.addEventListener('job', ({ data }) => {
    const job: Job = JSON.parse(data);
    for (const listener of listeners) listener(job);
  });
  // Browsers reconnect after a lost connection, but not after an error response such as 503.
  source.addEventListener('error', () => {
    if (source?.readyState === EventSource.CLOSED) reopenTimer = setTimeout(openEventSource, reopenMs);
  });
}

function closeEventSource() {
  clearTimeout(reopenTimer);
  source?.close();
  source = undefined;
}

/**
 * Calls `listener` on each change to the user's jobs. All listeners share one stream. Returns an unsubscribe function.
 */
export function subscribeToJobs(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) openEventSource();
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) closeEventSource();
  };
}
