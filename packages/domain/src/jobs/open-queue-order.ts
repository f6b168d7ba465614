import { readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import type { Needs } from '../context.ts';
import { orderQueue } from './order-queue.ts';

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
