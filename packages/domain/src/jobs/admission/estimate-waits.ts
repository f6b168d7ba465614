import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { Queue, QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { orderQueue } from '../order-queue.ts';

/**
 * Estimated seconds until a new image starts, by plan weight for an account with nothing in the queue, and for a
 * visitor.
 */
export type Waits = { byWeight: ReadonlyMap<number, number>; visitor: number };

/** Estimated processing time of the waiting image, in seconds: a photo of typical size with an AI engine. */
const typicalSeconds = 5;

/** Returns the wait for a plan's weight, or for the next lower weight that is currently sold. */
export function waitOf({ byWeight }: Waits, { queueWeight }: Pick<Plan, 'queueWeight'>): number {
  const weights = [...byWeight.keys()].filter((weight) => weight <= queueWeight);
  return byWeight.get(Math.max(...weights)) ?? 0;
}

type Probe = QueuedJob & { weight: number | undefined };

/**
 * Estimates how long a new image waits: the total seconds of all jobs that start before it, divided by the number of
 * slots. Jobs are ordered as they are claimed, so an account with many or heavy jobs delays others little. The queue
 * and the slots belong to one pool. Ignores running jobs.
 */
export function estimateWaits({ systemTime, jobs }: Queue, slots: number): Waits {
  const probes = makeProbes(systemTime);
  const order = orderQueue({ systemTime, jobs: [...jobs, ...probes] });
  const secondsBefore = sumBefore(jobs, order);
  const waits = probes.map(({ id, weight }) => [weight, (secondsBefore[order.get(id) ?? 0] ?? 0) / slots] as const);
  return {
    byWeight: new Map(waits.flatMap(([weight, wait]) => (weight === undefined ? [] : [[weight, wait] as const]))),
    visitor: Math.max(waits.find(([weight]) => weight === undefined)?.[1] ?? 0, sumPreviews(jobs)),
  };
}

/** Total seconds of the visitors' previews, which start one after another on any number of slots. */
export const sumPreviews = (jobs: readonly QueuedJob[]) =>
  jobs.reduce((sum, { accountId, seconds }) => (accountId === null ? sum + seconds : sum), 0);

/** Returns the total seconds of all jobs before each position of the order. Positions of probes add nothing. */
export function sumBefore(jobs: readonly QueuedJob[], order: ReadonlyMap<string, number>): Float64Array {
  const before = new Float64Array(order.size + 1);
  for (const { id, seconds } of jobs) before[(order.get(id) ?? order.size) + 1] = seconds;
  let sum = 0;
  return before.map((seconds) => {
    sum += seconds;
    return sum;
  });
}

/** Creates one probe image per plan weight, each with its own account, and one for visitors, who share an account. */
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
