import { planOf } from '@uprez/contracts/policy/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { type Queue, type QueuedJob, readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { tick, tie } from '@uprez/db/queries/jobs/virtual-times';
import type { Needs } from '../context.ts';

/** An account in the queue. `jobs`: oldest first, with their places in the queue. `time`: its virtual time. */
type Waiting = { jobs: { id: string; seconds: number; place: number }[]; weight: number; time: number };

/** The queues of a queue, by pool: each is started by its own workers. */
export function splitByPool({ systemTime, jobs }: Queue): Map<string | null, Queue> {
  const byPool = new Map<string | null, Queue>();
  for (const job of jobs) {
    const own = byPool.get(job.pool) ?? { systemTime, jobs: [] };
    own.jobs.push(job);
    byPool.set(job.pool, own);
  }
  return byPool;
}

/** The order of all jobs, each in that of its pool. */
const orderQueues = (queue: Queue): Map<string, number> =>
  new Map([...splitByPool(queue).values()].flatMap((own) => [...orderQueue(own)]));

/**
 * Estimate how many starts come before each queued job of one pool: start all of them in the order of `pickClaimableJob`. Ignores
 * jobs to come, plans that are due, delays, and corrections.
 */
export function orderQueue({ systemTime, jobs }: Queue): Map<string, number> {
  const order = new Map<string, number>();
  const later = groupByAccount(jobs).toSorted((a, b) => b.time - a.time);
  const ready: Waiting[] = [];
  let weights = later.reduce((sum, { weight }) => sum + weight, 0);
  let system = systemTime;
  let last = Number.NEGATIVE_INFINITY;
  while (order.size < jobs.length) {
    const reached = tie + (ready.length > 0 ? system : Math.max(system, later.at(-1)?.time ?? system));
    for (let next = later.at(-1); next && next.time <= reached; next = later.at(-1))
      insert(ready, later.pop() ?? next, byFinish);
    const account = ready.pop();
    const job = account?.jobs.shift();
    if (!account || !job) break;
    order.set(job.id, order.size);
    const finish = account.time + job.seconds / account.weight;
    system = Math.max(system, Math.min(Math.max(system, account.time) + job.seconds / weights, finish));
    account.time = finish <= last && finish >= last - tie ? last + tick : finish;
    last = Math.max(last, account.time);
    if (account.jobs.length > 0) insert(later, account, (a, b) => a.time - b.time);
    else weights -= account.weight;
  }
  return order;
}

function groupByAccount(jobs: readonly QueuedJob[]): Waiting[] {
  const accounts = new Map<string | null, Waiting>();
  for (const [place, { id, accountId, tier, planVersion, virtualTime, seconds }] of jobs.entries()) {
    const { queueWeight: weight } = tier ? planOf({ tier, planVersion }) : currentPlans.free;
    const account = accounts.get(accountId) ?? { jobs: [], weight, time: virtualTime };
    account.jobs.push({ id, seconds, place });
    accounts.set(accountId, account);
  }
  return [...accounts.values()];
}

function byFinish(a: Waiting, b: Waiting): number {
  const [first, second] = [a.jobs[0], b.jobs[0]];
  if (!first || !second) return 0;
  return a.time + first.seconds / a.weight - (b.time + second.seconds / b.weight) || first.place - second.place;
}

/** Insert an account into a list whose last one is the smallest. */
function insert(accounts: Waiting[], account: Waiting, compare: (a: Waiting, b: Waiting) => number): void {
  let [low, high] = [0, accounts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = accounts[middle];
    if (other && compare(other, account) > 0) low = middle + 1;
    else high = middle;
  }
  accounts.splice(low, 0, account);
}

/** Jobs further back than this have no position. */
export const mostJobs = 10_000;
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
    if (seen && performance.now() - seen.at < maxAgeMs) return seen.order;
    const order = readQueue(ctx.db, mostJobs).then(orderQueues);
    seen = { at: performance.now(), order };
    // A look that failed is no answer for the next caller.
    order.catch(() => {
      seen = undefined;
    });
    return order;
  };
  return { find: async (jobId) => (await look(freshMs)).get(jobId) ?? (await look(missedMs)).get(jobId) };
}
