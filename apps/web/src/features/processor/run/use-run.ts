import { useQueryClient } from '@tanstack/react-query';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Job } from '@uprez/contracts/schemas/job';
import { useEffect } from 'react';
import { dashboardKey } from '../../../lib/api/queries.ts';
import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { redirectAfterSessionEnd } from '../../../lib/session/redirect-to-sign-in.ts';
import { processorMessages as text } from '../messages.ts';
import { endRun, isSending, useProcessor } from '../state/processor-store.ts';
import { deleteJobId } from '../state/run-storage.ts';
import { milestone } from './milestone.ts';
import { failRun } from './process-image.ts';
import { useJob } from './use-job.ts';

/** Shows the result of a finished job, or why there is none. */
function finishRun({ id, status, error }: Job) {
  if (status === 'completed') return useProcessor.setState({ run: { phase: 'done', jobId: id } });
  if (status === 'failed') failRun(error?.message ?? errorCodes.internal.title);
  else if (status === 'cancelled') endRun({ note: text.cancelled });
  else if (status === 'expired') endRun({ note: errorCodes.result_expired.title });
  else return;
  deleteJobId();
}

/**
 * The current run with its job. Ends the run when the job has finished, and guards an upload against leaving the page.
 */
export function useRun() {
  const queryClient = useQueryClient();
  const run = useProcessor((state) => state.run);
  const { job, gone, signedOut } = useJob('jobId' in run ? run.jobId : undefined);
  useEffect(() => {
    if (!job || !isFinal(job.status)) return;
    finishRun(job);
    void queryClient.invalidateQueries({ queryKey: dashboardKey });
  }, [job, queryClient]);
  useEffect(() => {
    if (!gone) return;
    deleteJobId();
    endRun({ note: errorCodes.job_not_found.title });
  }, [gone]);
  // The job id stays in sessionStorage, so the page resumes after the sign-in.
  useEffect(() => {
    if (signedOut) return redirectAfterSessionEnd();
  }, [signedOut]);
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
