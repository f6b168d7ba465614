import { findJob } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';
import { announceJob } from '../jobs/announce-job.ts';
import { cancelJob } from '../jobs/cancel-job.ts';

/** Nobody waits for a preview any longer: it leaves the queue, or its worker's hands, unless it is finished. */
export async function dropPreview(ctx: Needs<'db' | 'publisher'>, id: string): Promise<void> {
  const cancelled = await ctx.db.transaction().execute(async (tx) => {
    const job = await findJob(tx, id);
    return job?.kind === 'preview' ? cancelJob(tx, job) : undefined;
  });
  if (cancelled) await announceJob(ctx, cancelled);
}
