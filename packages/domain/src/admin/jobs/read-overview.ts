import type { JobOverview } from '@uprez/contracts/schemas/admin/jobs';
import { countAdminJobs } from '@uprez/db/queries/jobs/admin/list-jobs';
import { countJobsByEngine, readQueueTimes } from '@uprez/db/queries/jobs/admin/read-overview';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { listWorkers } from '@uprez/db/queries/jobs/workers';
import { type JobAdminContext, withStuckLease } from './list-jobs.ts';

/** Returns the current state of the queue and the workers. */
export async function readOverview(ctx: JobAdminContext): Promise<JobOverview> {
  const { db } = ctx;
  const [counts, times, settings, workers, { stuck, dead }] = await Promise.all([
    countJobsByEngine(db),
    readQueueTimes(db),
    readJobSettings(db),
    listWorkers(db),
    countJobProblems(ctx),
  ]);
  return { ...times, counts, settings, workers: workers.map(presentWorker), stuck, deadToday: dead };
}

type ListedWorker = Awaited<ReturnType<typeof listWorkers>>[number];

const presentWorker = ({ lastSignAt, startedAt, ...worker }: ListedWorker) => ({
  ...worker,
  startedAt: startedAt.toISOString(),
  lastSignAt: lastSignAt.toISOString(),
});

/** Counts stuck jobs, and jobs that failed with processing errors in the last 24 hours. */
export async function countJobProblems(ctx: JobAdminContext): Promise<{ stuck: number; dead: number }> {
  const [stuck, dead] = await Promise.all([
    countAdminJobs(ctx.db, withStuckLease(ctx, { view: 'stuck' })),
    countAdminJobs(ctx.db, withStuckLease(ctx, { view: 'dead_today' })),
  ]);
  return { stuck, dead };
}
