import type { JobRow } from '@uprez/db/queries/jobs';
import type { Needs } from '../context.ts';

/** After commit: tell whoever watches that the row has a new version. A hint; the row is the truth. */
export async function announceJob(ctx: Needs<'publisher'>, job: JobRow): Promise<void> {
  if (job.account_id) await ctx.publisher.publish(job.account_id, { jobId: job.id, version: job.version });
}
