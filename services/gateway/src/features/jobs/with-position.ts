import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { Deps } from '../../deps.ts';

/** A job with its place in the queue, while it has one. */
export async function withPosition(deps: Pick<Deps, 'queueOrder'>, found: JobWithFiles): Promise<JobWithFiles> {
  if (found.job.status !== 'queued') return found;
  return { ...found, queuePosition: await deps.queueOrder.find(found.job.id) };
}
