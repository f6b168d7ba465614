import type { JobOverview } from '@uprez/contracts/schemas/admin-jobs';
import { countJobsByEngine, readQueueTimes } from '@uprez/db/queries/jobs/admin/read-overview';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { listWorkers } from '@uprez/db/queries/jobs/workers';
import { countJobProblems } from './count-job-problems.ts';
import type { JobAdminContext } from './list-jobs.ts';

/** The state of the queue and of the workers, as of now. */
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

type Worker = Awaited<ReturnType<typeof listWorkers>>[number];

const presentWorker = ({ lastSignAt, startedAt, ...worker }: Worker) => ({
  ...worker,
  startedAt: startedAt.toISOString(),
  lastSignAt: lastSignAt.toISOString(),
});
