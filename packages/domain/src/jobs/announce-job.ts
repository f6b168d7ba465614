import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';

/** The channel of a job's changes: its account, or its own ID for previews and sandbox jobs. */
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
