import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';

/**
 * Where a job's changes are told. What belongs to none of the account's lists (a preview, a job of the sandbox) is watched
 * by its own id.
 */
export const channelOf = (job: Pick<JobRow, 'id' | 'kind' | 'accountId'>) =>
  job.kind === 'image' ? job.accountId : job.id;

/** After commit: tell whoever watches that the row has a new version. A hint; the row is the truth. */
export async function announceJob(
  ctx: Needs<'publisher'>,
  job: Pick<JobRow, 'id' | 'kind' | 'accountId' | 'version'>,
): Promise<void> {
  const watched = channelOf(job);
  if (watched) await ctx.publisher.publish(watched, { jobId: job.id, version: job.version });
}
