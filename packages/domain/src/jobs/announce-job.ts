import type { JobRow } from '@uprez/db/queries/jobs';
import type { Needs } from '../context.ts';

/**
 * After commit: tell whoever watches that the row has a new version. A hint; the row is the truth. A preview is watched
 * by its own id: it belongs to no list.
 */
export async function announceJob(ctx: Needs<'publisher'>, job: JobRow): Promise<void> {
  const watched = job.kind === 'preview' ? job.id : job.account_id;
  if (watched) await ctx.publisher.publish(watched, { jobId: job.id, version: job.version });
}
