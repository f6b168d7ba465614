import { type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { Queue, QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { tieStep, tieTolerance } from '@uprez/db/queries/jobs/virtual-times';

/**
 * Estimated seconds until a new image starts. `byWeight`: for an account that has nothing in the queue, by plan weight.
 * `visitor`: for a visitor's preview.
 */
export type WaitEstimates = { byWeight: ReadonlyMap<number, number>; visitor: number };

/** Assumed processing time of a new image, in seconds: a photo of typical size, upscaled with an AI engine. */
const typicalSeconds = 5;

/**
 * Returns the wait for a plan's weight. If no current plan has this weight, returns the wait for the next lower one.
 */
export function waitOf({ byWeight }: WaitEstimates, { queueWeight }: Pick<Plan, 'queueWeight'>): number {
  const weights = [...byWeight.keys()].filter((weight) => weight <= queueWeight);
  return byWeight.get(Math.max(...weights)) ?? 0;
}

type Probe = QueuedJob & { weight: number | undefined };

/**
 * Estimates how long a new image waits, in seconds: the total duration of all jobs that start before it, divided by the
 * number of slots. Orders jobs as they are claimed, so an account with many or heavy jobs barely delays other accounts.
 * The queue and the slots must belong to the same pool. Ignores running jobs.
 */
export function estimateWaits({ systemTime, jobs }: Queue, slots: number): WaitEstimates {
  const probes = makeProbes(systemTime);
  const order = orderQueue({ systemTime, jobs: [...jobs, ...probes] });
  const secondsBefore = sumBefore(jobs, order);
  const waits = probes.map(({ id, weight }) => [weight, (secondsBefore[order.get(id) ?? 0] ?? 0) / slots] as const);
  return {
    byWeight: new Map(waits.flatMap(([weight, wait]) => (weight === undefined ? [] : [[weight, wait] as const]))),
    visitor: Math.max(waits.find(([weight]) => weight === undefined)?.[1] ?? 0, sumPreviews(jobs)),
  };
}

/**
 * Returns the total estimated seconds of the visitors' previews. More slots don't shorten this time, because only one
 * of these previews runs at a time.
 */
export const sumPreviews = (jobs: readonly QueuedJob[]) =>
  jobs.reduce((sum, { accountId, seconds }) => (accountId === null ? sum + seconds : sum), 0);

/**
 * Returns, for each position in the order, the total seconds of all jobs before it. Positions of jobs that aren't in
 * `jobs`, such as probes, add 0.
 */
export function sumBefore(jobs: readonly QueuedJob[], order: ReadonlyMap<string, number>): Float64Array {
  const before = new Float64Array(order.size + 1);
  for (const { id, seconds } of jobs) before[(order.get(id) ?? order.size) + 1] = seconds;
  let sum = 0;
  return before.map((seconds) => {
    sum += seconds;
    return sum;
  });
}

/**
 * Creates probe images, which are inserted into the queue to find their positions: one per plan weight, each for its
 * own account, and one for visitors, who share an account.
 */
function makeProbes(virtualTime: number): Probe[] {
  const tierOf = new Map<number, Tier>(tiers.map((tier) => [currentPlans[tier].queueWeight, tier]));
  const probe = { planVersion: null, pool: null, virtualTime, seconds: typicalSeconds };
  return [
    ...[...tierOf].map(([weight, tier]) => ({
      ...probe,
      id: `probe:${tier}`,
      accountId: `probe:${tier}`,
      tier,
      weight,
    })),
    { ...probe, id: 'probe:visitor', accountId: null, tier: null, weight: undefined },
  ];
}

/** Later jobs have no queue position. */
export const maxOrderedJobs = 10_000;

/**
 * An account with queued jobs. `jobs`: oldest first. `place`: index of a job in the whole queue, by creation time.
 * `time`: the account's virtual time.
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
 * Estimates how many jobs start before each queued job of one pool, by simulating the order of `pickClaimableJob`.
 * Ignores future jobs, delayed jobs, plan changes that are due, and corrections of virtual times.
 */
export function orderQueue({ systemTime, jobs }: Queue): Map<string, number> {
  const order = new Map<string, number>();
  const later = groupByAccount(jobs).toSorted((a, b) => b.time - a.time);
  const ready: Waiting[] = [];
  let weights = later.reduce((sum, { weight }) => sum + weight, 0);
  let system = systemTime;
  let last = Number.NEGATIVE_INFINITY;
  while (order.size < jobs.length) {
    const reached = tieTolerance + (ready.length > 0 ? system : Math.max(system, later.at(-1)?.time ?? system));
    for (let next = later.at(-1); next && next.time <= reached; next = later.at(-1))
      insert(ready, later.pop() ?? next, compareByFinish);
    const account = ready.pop();
    const job = account?.jobs.shift();
    if (!account || !job) break;
    order.set(job.id, order.size);
    const finish = account.time + job.seconds / account.weight;
    system = Math.max(system, Math.min(Math.max(system, account.time) + job.seconds / weights, finish));
    account.time = finish <= last && finish >= last - tieTolerance ? last + tieStep : finish;
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

function compareByFinish(a: Waiting, b: Waiting): number {
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
