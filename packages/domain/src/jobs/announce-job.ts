import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';

/** The channel of a job's changes: its account, or its own ID for previews and sandbox jobs. */
export const channelOf = (job: Pick<JobRow, 'id' | 'kind' | 'accountId'>) =>
  job.kind === 'image' ? job.accountId : job.id;

/** Notify watchers of a new version, after the commit. May be lost. */
export async function announceJob(ctx: Needs<'publisher'>, job: Pick<JobRow, 'id' | 'kind' | 'accountId' | 'version'>) {
  const watched = channelOf(job);
  if (watched) await ctx.publisher.publish(watched, { jobId: job.id, version: job.version });
}
