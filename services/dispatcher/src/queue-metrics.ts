import { tiers } from '@uprez/contracts/policy/plans';
import { readQueueTimes } from '@uprez/db/queries/jobs/admin/read-overview';
import { countQueuedJobs } from '@uprez/db/queries/jobs/queued-jobs';
import { readWorkerLoad } from '@uprez/db/queries/jobs/worker-load';
import type { Deps } from './deps.ts';

/** Length of the queue per plan, and what workers are scaled by, read at each scrape. */
export function registerQueueMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  metrics.gauge({ name: 'queue_jobs', help: 'Queued jobs by plan.', labels: ['plan'] }, async () => {
    const counts = new Map((await countQueuedJobs(db)).map(({ plan, count }) => [plan, count]));
    return [...tiers, 'visitor' as const].map((plan) => ({ labels: { plan }, value: counts.get(plan) ?? 0 }));
  });
  const load = {
    name: 'worker_load',
    help: 'Work for workers: jobs that could start, jobs in progress, and images of the media library.',
  };
  metrics.gauge({ ...load, labels: ['state'] }, async () => {
    const { waiting, running, media } = await readWorkerLoad(db);
    return [
      { labels: { state: 'waiting' }, value: waiting },
      { labels: { state: 'running' }, value: running },
      { labels: { state: 'media' }, value: media },
    ];
  });
  const oldest = {
    name: 'queue_oldest_job_seconds',
    help: 'Time that the oldest job waits that could start, 0 if there is none.',
  };
  metrics.gauge({ ...oldest, labels: [] }, async () => [
    { labels: {}, value: (await readQueueTimes(db)).oldestWaitS ?? 0 },
  ]);
}
