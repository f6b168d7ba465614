import { plans } from '@uprez/contracts/policy/plans';
import type { Queue, QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';

/**
 * How many starts come before each queued job, by the order of `claim-next-job`: an account's first job starts at its
 * virtual time, each further one 1/weight later; smaller times start first, and of equal ones the older job. An estimate:
 * who joins the queue later may come before, a plan that waited long comes sooner, and a job that waits for its retry
 * counts as if it did not.
 */
export function orderQueue({ systemTime, jobs }: Queue): Map<string, number> {
  const started = new Map<string | null, number>();
  const tags = jobs.map((job) => {
    const earlier = started.get(job.accountId) ?? 0;
    started.set(job.accountId, earlier + 1);
    return { id: job.id, tag: tagOf(job, earlier, systemTime) };
  });
  // The sort is stable, and the jobs come oldest first.
  return new Map(tags.toSorted((a, b) => a.tag - b.tag).map(({ id }, position) => [id, position]));
}

/** After its first start an account is where the system is, however far it was behind. */
function tagOf({ tier, virtualTime }: QueuedJob, earlier: number, systemTime: number): number {
  if (earlier === 0) return virtualTime;
  return Math.max(virtualTime, systemTime) + earlier / plans[tier ?? 'free'].queueWeight;
}
