import { listExpiredJobs } from '@uprez/db/queries/instance/sweeps';
import { changeJob } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { recordJobEvent } from '../events/record-job-event.ts';
import { announceJob } from './announce-job.ts';

/** Expire completed jobs at the end of their retention and mark their files for deletion. Returns how many. */
export async function expireJobs(ctx: Needs<'db' | 'publisher'>): Promise<number> {
  const due = await listExpiredJobs(ctx.db);
  for (const { id } of due) {
    const expired = await ctx.db.transaction().execute(async (tx) => {
      const job = await changeJob(tx, { id, status: 'completed' }, { status: 'expired', deletedAt: now });
      if (!job) return undefined;
      await markObjectsForDeletion(tx, { jobId: id, kinds: ['source', 'result', 'thumbnail'] });
      await recordJobEvent(tx, job);
      return job;
    });
    if (expired) await announceJob(ctx, expired);
  }
  return due.length;
}
