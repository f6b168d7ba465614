import { plans } from '@uprez/contracts/policy/plans';
import { type Queue, type QueuedJob, readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import type { Needs } from '../context.ts';

/**
 * Estimate how many starts come before each queued job: an account's first job starts at its virtual time, each further
 * one 1/weight later. Ignores jobs to come, waiting plans, and retries.
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

/** Jobs further back than this have no position. */
const mostJobs = 10_000;
/** A look at the queue serves all who ask within so many milliseconds; one for a job that it has not seen yet, sooner. */
const freshMs = 1_000;
const missedMs = 100;

export type QueueOrder = {
  /** How many starts come before a queued job; undefined when it does not wait any more, or very far back. */
  find: (jobId: string) => Promise<number | undefined>;
};

/** Open the order of the queue, as seen by all callers of this process together: one look a second, however many ask. */
export function openQueueOrder(ctx: Needs<'db'>): QueueOrder {
  let seen: { at: number; order: Promise<Map<string, number>> } | undefined;
  const look = (maxAgeMs: number) => {
    if (seen && Date.now() - seen.at < maxAgeMs) return seen.order;
    const order = readQueue(ctx.db, mostJobs).then(orderQueue);
    seen = { at: Date.now(), order };
    // A look that failed is no answer for the next caller.
    order.catch(() => {
      seen = undefined;
    });
    return order;
  };
  return { find: async (jobId) => (await look(freshMs)).get(jobId) ?? (await look(missedMs)).get(jobId) };
}
