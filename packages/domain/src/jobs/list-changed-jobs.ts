import { listChangedJobs as listRows } from '@uprez/db/queries/jobs/jobs';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { type JobWithFiles, withFiles } from './get-job.ts';

const overlapUs = 5_000_000;
const firstLookUs = 600_000_000;

/**
 * What a stream that opens now must show: all unfinished jobs and those that changed since the last event it saw
 * (microseconds since 1970, less 5 s for clocks and commits that overtake each other), else in the last 10 minutes.
 */
export async function listChangedJobs(
  ctx: Needs<'db'>,
  { actor, lastEventUs }: { actor: Actor; lastEventUs: number | undefined },
): Promise<JobWithFiles[]> {
  const sinceUs = lastEventUs === undefined ? Date.now() * 1_000 - firstLookUs : lastEventUs - overlapUs;
  return withFiles(ctx.db, await listRows(ctx.db, actor.accountId, sinceUs));
}
