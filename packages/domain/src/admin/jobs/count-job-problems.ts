import { countAdminJobs } from '@uprez/db/queries/jobs/admin/list-jobs';
import { type JobAdminContext, withStuckLease } from './list-jobs.ts';

/** The number of stuck jobs, and of those that processing errors ended in the last 24 hours. */
export async function countJobProblems(ctx: JobAdminContext): Promise<{ stuck: number; dead: number }> {
  const [stuck, dead] = await Promise.all([
    countAdminJobs(ctx.db, withStuckLease(ctx, { view: 'stuck' })),
    countAdminJobs(ctx.db, withStuckLease(ctx, { view: 'dead_today' })),
  ]);
  return { stuck, dead };
}
