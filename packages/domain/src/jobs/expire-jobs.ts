import type { Tx } from '@uprez/db/database';
import { changeJob, type JobRow, recipeWithoutMask } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { listExpiredJobs } from '@uprez/db/queries/jobs/queued-jobs';
import { deleteTargetOfJob } from '@uprez/db/queries/jobs/result-deliveries';
import { now } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { recordJobEvent } from '../events/record-event.ts';
import { announceJob } from './wake-workers.ts';

/**
 * Expires completed jobs at the end of their retention and marks their files for deletion. Returns the number of jobs.
 */
export async function expireJobs(ctx: Needs<'db' | 'publisher'>): Promise<number> {
  const due = await listExpiredJobs(ctx.db);
  for (const { id } of due) {
    const expired = await ctx.db.transaction().execute((tx) => expireJob(tx, { id, status: 'completed' }));
    if (expired) await announceJob(ctx, expired);
  }
  return due.length;
}

/**
 * Expires a job that has ended, removes its mask, and marks its files for deletion. Returns undefined if its status has
 * changed.
 */
export async function expireJob(tx: Tx, { id, status }: Pick<JobRow, 'id' | 'status'>): Promise<JobRow | undefined> {
  const changes = { status: 'expired', deletedAt: now, recipe: recipeWithoutMask } as const;
  const expired = await changeJob(tx, { id, status }, changes);
  if (!expired) return undefined;
  await markObjectsForDeletion(tx, { jobId: id, kinds: ['source', 'result', 'thumbnail'] });
  if (status === 'completed') await recordJobEvent(tx, expired);
  else await deleteTargetOfJob(tx, id);
  return expired;
}
