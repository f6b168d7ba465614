import { tiers } from '@uprez/contracts/policy/plans';
import { sharedPool } from '@uprez/contracts/policy/worker-pools';
import { countQueuedJobs } from '@uprez/db/queries/jobs/queued-jobs';
import { readWorkerLoad } from '@uprez/db/queries/jobs/workers';
import type { Deps } from './deps.ts';
import { shareCalls } from './share-calls.ts';

/** Length of the queue per plan, and what workers are scaled by, read at each scrape. */
export function registerQueueMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  // Three metrics of a scrape come from one read of the queue.
  const readLoad = shareCalls(() => readWorkerLoad(db));
  metrics.gauge({ name: 'queue_jobs', help: 'Queued jobs by plan.', labels: ['plan'] }, async () => {
    const counts = new Map((await countQueuedJobs(db)).map(({ plan, count }) => [plan, count]));
    return [...tiers, 'visitor' as const].map((plan) => ({ labels: { plan }, value: counts.get(plan) ?? 0 }));
  });
  const load = {
    name: 'worker_load',
    help: 'Work for the workers of a pool: jobs that could start, jobs in progress, and images of the media library.',
  };
  metrics.gauge({ ...load, labels: ['pool', 'state'] }, async () =>
    (await readLoad()).flatMap(({ pool, waiting, running, media }) =>
      Object.entries({ waiting, running, ...(pool === null && { media }) }).map(([state, value]) => ({
        labels: { pool: pool ?? sharedPool, state },
        value,
      })),
    ),
  );
  const oldest = {
    name: 'queue_oldest_job_seconds',
    help: 'Time that the oldest job waits that workers of a pool could start, 0 if there is none.',
  };
  metrics.gauge({ ...oldest, labels: ['pool'] }, async () =>
    (await readLoad()).map(({ pool, oldestWaitS }) => ({
      labels: { pool: pool ?? sharedPool },
      value: oldestWaitS ?? 0,
    })),
  );
  const slots = {
    name: 'worker_slots',
    help: 'Slots of live workers of a pool that are not drained.',
  };
  metrics.gauge({ ...slots, labels: ['pool'] }, async () =>
    (await readLoad()).map(({ pool, slots: value }) => ({ labels: { pool: pool ?? sharedPool }, value })),
  );
}
