import { listExpiredJobs } from '@uprez/db/queries/instance/sweeps';
import { changeJob } from '@uprez/db/queries/jobs/jobs';
import { giveUpObjects } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { noteJobEvent } from '../events/note-job-event.ts';
import { announceJob } from './announce-job.ts';

/** Retention: completed jobs past their time become `expired` and their files go. Answers how many. */
export async function expireJobs(ctx: Needs<'db' | 'publisher'>): Promise<number> {
  const due = await listExpiredJobs(ctx.db);
  for (const { id } of due) {
    const expired = await ctx.db.transaction().execute(async (tx) => {
      const job = await changeJob(tx, { id, status: 'completed' }, { status: 'expired', deletedAt: now });
      if (!job) return undefined;
      await giveUpObjects(tx, { jobId: id, kinds: ['source', 'result', 'thumbnail'] });
      await noteJobEvent(tx, job);
      return job;
    });
    if (expired) await announceJob(ctx, expired);
  }
  return due.length;
}
