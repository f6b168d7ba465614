import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { isFinal } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import type { Job } from '@uprez/contracts/schemas/job';
import { useEffect } from 'react';
import { subscribeToJobs } from '../../../lib/api/job-events.ts';
import { dashboardKey } from '../../../lib/api/queries.ts';
import { fetchQueryKey } from '../../../lib/api/query-client.ts';
import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { redirectAfterSessionEnd } from '../../../lib/session/redirect-to-sign-in.ts';
import { processorMessages as text } from '../messages.ts';
import { endRun, isSending, useProcessor } from '../state/processor-store.ts';
import { deleteJobId, jobKey } from '../state/run-storage.ts';
import { milestone } from './milestone.ts';
import { failRun } from './process-image.ts';

const pollMs = 5_000;
/** Download links expire; each GET of the job returns a new one. */
const renewMs = (limits.downloadLinkMinutes * 60_000) / 2;

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : undefined);
/** The session has ended, or the job does not exist. */
const isLost = (error: unknown) => statusOf(error) === 401 || statusOf(error) === 404;

function pollInterval(job: Job | undefined, error: unknown): number | false {
  if (isLost(error)) return false;
  if (!job || !isFinal(job.status)) return pollMs;
  return job.status === 'completed' ? renewMs : false;
}

/** A job until it is finished, and the status of a failed request. Events report changes; polling is the fallback. */
function useJob(id: string | undefined) {
  const queryClient = useQueryClient();
  const { data: job, error } = useQuery({
    queryKey: jobKey(id),
    queryFn: (context) => fetchQueryKey(context) as Promise<Job>,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollInterval(state.data, state.error),
    refetchIntervalInBackground: true,
  });
  const following = id !== undefined && !(job && isFinal(job.status)) && !isLost(error);
  useEffect(() => {
    if (!following) return;
    return subscribeToJobs((next) => {
      // An event that was sent before the last poll must not reopen a finished job.
      queryClient.setQueryData<Job>(jobKey(next.id), (known) => (known && isFinal(known.status) ? known : next));
    });
  }, [following, queryClient]);
  return { job, errorStatus: statusOf(error) };
}

function finishRun({ id, status, error, credits }: Job) {
  if (status === 'completed') return useProcessor.setState({ run: { phase: 'done', jobId: id } });
  if (status === 'failed') failRun(error?.message ?? errorCodes.internal.title, error?.code);
  else if (status === 'cancelled') endRun({ note: (credits > 0 && error?.message) || text.cancelled });
  else if (status === 'expired') endRun({ note: errorCodes.result_expired.title });
  else return;
  deleteJobId();
}

/** A restored run is known to be active. */
function confirmRun({ id: jobId }: Job) {
  const { run } = useProcessor.getState();
  if (run.phase === 'following' && run.isRestored) useProcessor.setState({ run: { phase: 'following', jobId } });
}

/** Ends the run when its job has finished, and guards an upload against leaving the page. */
export function useRun() {
  const queryClient = useQueryClient();
  const run = useProcessor((state) => state.run);
  const { job, errorStatus } = useJob('jobId' in run ? run.jobId : undefined);
  useEffect(() => {
    if (!job) return;
    if (!isFinal(job.status)) return confirmRun(job);
    finishRun(job);
    void queryClient.invalidateQueries({ queryKey: dashboardKey });
  }, [job, queryClient]);
  useEffect(() => {
    // The job id stays in sessionStorage, so the page resumes after the sign-in.
    if (errorStatus === 401) return redirectAfterSessionEnd();
    if (errorStatus !== 404) return;
    deleteJobId();
    endRun({ note: errorCodes.job_not_found.title });
  }, [errorStatus]);
  const said = milestone(run, job);
  useEffect(() => {
    if (said) announce(said);
  }, [said]);
  const sending = useProcessor(isSending);
  useEffect(() => {
    setUnloadGuard('upload', sending);
    return () => setUnloadGuard('upload', false);
  }, [sending]);
  return { run, job };
}
