import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Queue, QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { tick, tie } from '@uprez/db/queries/jobs/virtual-times';

/** Jobs beyond this position have no queue position. */
export const mostJobs = 10_000;

/**
 * An account in the queue. `jobs`: oldest first, with their positions in the queue. `time`: the account's virtual time.
 */
type Waiting = { jobs: { id: string; seconds: number; place: number }[]; weight: number; time: number };

/** Splits a queue by pool, because each pool has its own workers. */
export function splitByPool({ systemTime, jobs }: Queue): Map<string | null, Queue> {
  const byPool = new Map<string | null, Queue>();
  for (const job of jobs) {
    const own = byPool.get(job.pool) ?? { systemTime, jobs: [] };
    own.jobs.push(job);
    byPool.set(job.pool, own);
  }
  return byPool;
}

/**
 * Estimates how many jobs start before each queued job of one pool by simulating the order of `pickClaimableJob`.
 * Ignores future jobs, plan changes that are due, delays, and corrections.
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

/** Inserts an account into a list sorted in descending order. */
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
