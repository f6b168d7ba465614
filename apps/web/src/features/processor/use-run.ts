import { errorCodes } from '@uprez/contracts/error-codes';
import type { Job } from '@uprez/contracts/job';
import { useEffect } from 'react';
import { askToSignInAgain } from '../../lib/ask-to-sign-in.ts';
import { messages } from '../../messages.ts';
import { failRun } from './process-picture.ts';
import { endRun, isSending, useProcessor } from './processor-store.ts';
import { forgetJob } from './running-job.ts';
import { useJob } from './use-job.ts';

/** What a job that ended without a result leaves on the page; a completed one stays. */
function settle({ status, error }: Job) {
  if (status === 'failed') failRun(error?.message ?? errorCodes.internal.title);
  else if (status === 'cancelled') endRun({ note: messages.processor.cancelled });
  else if (status === 'expired') endRun({ note: errorCodes.result_expired.title });
  else return;
  forgetJob();
}

/** The run of the picture with the job it follows; ends it when the job does. Guards an upload against leaving. */
export function useRun() {
  const run = useProcessor((state) => state.run);
  const { job, gone, signedOut } = useJob(run.phase === 'following' ? run.jobId : undefined);
  useEffect(() => {
    if (job) settle(job);
  }, [job]);
  useEffect(() => {
    if (!gone) return;
    forgetJob();
    endRun({ note: errorCodes.job_not_found.title });
  }, [gone]);
  // The job's id stays with the tab: after signing in again the page takes it up.
  useEffect(() => {
    if (signedOut) askToSignInAgain();
  }, [signedOut]);
  const sending = useProcessor(isSending);
  useEffect(() => {
    if (!sending) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', guard);
    return () => window.removeEventListener('beforeunload', guard);
  }, [sending]);
  return { run, job };
}
