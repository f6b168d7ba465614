import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { isFinal } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import type { Job } from '@uprez/contracts/schemas/job';
import { useEffect } from 'react';
import { subscribeToJobs } from '../../../lib/api/job-events.ts';
import { fetchQueryKey } from '../../../lib/api/query-client.ts';
import { jobKey } from '../state/run-storage.ts';

const pollMs = 5_000;
/** Download links expire; each GET of the job returns a new one. */
const renewMs = (limits.downloadLinkMinutes * 60_000) / 2;

const hasStatus = (error: unknown, status: number) => error instanceof ApiError && error.status === status;
const isLost = (error: unknown) => hasStatus(error, 401) || hasStatus(error, 404);

function pollInterval(job: Job | undefined, error: unknown): number | false {
  if (isLost(error)) return false;
  if (!job || !isFinal(job.status)) return pollMs;
  return job.status === 'completed' ? renewMs : false;
}

/**
 * A job until it is finished. Events report changes; polling is the fallback. `gone`: the job does not exist.
 * `signedOut`: the session has ended, but the job continues.
 */
export function useJob(id: string | undefined): { job: Job | undefined; gone: boolean; signedOut: boolean } {
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: jobKey(id),
    queryFn: (context) => fetchQueryKey(context) as Promise<Job>,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollInterval(state.data, state.error),
    refetchIntervalInBackground: true,
  });
  const following = id !== undefined && !(data && isFinal(data.status)) && !isLost(error);
  useEffect(() => {
    if (!following) return;
    return subscribeToJobs((job) => {
      // An event that was sent before the last poll must not reopen a finished job.
      queryClient.setQueryData<Job>(jobKey(job.id), (known) => (known && isFinal(known.status) ? known : job));
    });
  }, [following, queryClient]);
  return { job: data, gone: hasStatus(error, 404), signedOut: hasStatus(error, 401) };
}
