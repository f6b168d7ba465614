import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { Queue, QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { orderQueue } from '../order-queue.ts';

/** Seconds until a new image starts, of an account with nothing in the queue, by the weight of its plan; and of a visitor. */
export type Waits = { byWeight: ReadonlyMap<number, number>; visitor: number };

/** Estimated seconds of the image that waits: a photo of common size with AI. */
const typicalSeconds = 5;

/** Of the weight of a plan, or of the next lower one that is sold now. */
export function waitOf({ byWeight }: Waits, { queueWeight }: Pick<Plan, 'queueWeight'>): number {
  const weights = [...byWeight.keys()].filter((weight) => weight <= queueWeight);
  return byWeight.get(Math.max(...weights)) ?? 0;
}

type Probe = QueuedJob & { weight: number | undefined };

/**
 * Estimates how long a new image waits: the seconds of all jobs that start before it, divided among the slots. The order is
 * that of claims, so an account with many or heavy jobs delays others little. The queue and the slots are those of one pool.
 * Ignores what runs already.
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

/** The seconds of the previews of visitors, which start one after another on any number of slots. */
export const sumPreviews = (jobs: readonly QueuedJob[]) =>
  jobs.reduce((sum, { accountId, seconds }) => (accountId === null ? sum + seconds : sum), 0);

/** The seconds of all jobs before each place of the order. Other images take no time. */
export function sumBefore(jobs: readonly QueuedJob[], order: ReadonlyMap<string, number>): Float64Array {
  const before = new Float64Array(order.size + 1);
  for (const { id, seconds } of jobs) before[(order.get(id) ?? order.size) + 1] = seconds;
  let sum = 0;
  return before.map((seconds) => {
    sum += seconds;
    return sum;
  });
}

/** An image for each weight, of an account of its own, and one of a visitor, who share an account. */
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
