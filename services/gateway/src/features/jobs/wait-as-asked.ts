import { AppError } from '@uprez/contracts/errors/app-error';
import type { Actor } from '@uprez/domain/actor';
import type { CreatedJob } from '@uprez/domain/jobs/create-job';
import { getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { Deps } from '../../deps.ts';
import { waitForJob } from './wait-for-job.ts';
import { withPosition } from './with-position.ts';

type Asked = { actor: Actor; created: CreatedJob; seconds: number; signal: AbortSignal };

/**
 * The job of a call once it is finished or so many seconds are over. Where Redis did not take the wake-up nobody will
 * start soon, so there is no point in waiting.
 */
export async function waitAsAsked(deps: Deps, { actor, created, seconds, signal }: Asked): Promise<JobWithFiles> {
  const jobId = created.job.id;
  const wait = created.woken && seconds > 0;
  const found = wait
    ? await waitForJob(deps, { actor, jobId, seconds, signal })
    : await getJob(deps, { actor, id: jobId });
  return withPosition(deps, found);
}

/** Throw the failure of a job, where its caller is still there to hear it. */
export function requireNotFailed({ job }: JobWithFiles): void {
  if (job.status !== 'failed' && job.status !== 'cancelled') return;
  throw new AppError(job.errorCode ?? 'internal', {
    ...(job.errorDetail && { detail: job.errorDetail }),
    ...(job.kind === 'sandbox' && { meta: { sandbox: true } }),
  });
}
