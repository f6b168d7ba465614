import { tiers } from '@uprez/contracts/policy/plans';
import { countQueuedJobs } from '@uprez/db/queries/jobs/queued-jobs';
import type { Deps } from './deps.ts';

/** Length of the queue per plan, counted at each scrape. */
export function registerQueueMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  metrics.gauge({ name: 'queue_jobs', help: 'Queued jobs by plan.', labels: ['plan'] }, async () => {
    const counts = new Map((await countQueuedJobs(db)).map(({ plan, count }) => [plan, count]));
    return [...tiers, 'visitor' as const].map((plan) => ({ labels: { plan }, value: counts.get(plan) ?? 0 }));
  });
}
