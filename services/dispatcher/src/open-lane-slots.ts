import type { DueLane } from '@uprez/db/queries/webhooks/webhook-deliveries';

/** Maximum number of active lanes, and of slow ones among them: those of failing endpoints and of heavy accounts. */
const slots = 64;
const slowSlots = 32;
/** Maximum number of lanes of one account while other accounts wait. */
const accountSlots = 16;
/** Maximum number of lanes of one account for the webhook URLs of single jobs. */
export const lanesOfOne = 8;
/** Seconds in slots are forgotten exponentially, with this time constant. */
const memoryS = 60;
/** An account that used more seconds than this is heavy: more than two slots all the time. */
const heavyS = 2 * memoryS;
/** Fewer seconds than this are forgotten completely. */
const leastS = 0.01;

/** Seconds in slots that an account used recently, and its active lanes. */
type Use = { seconds: number; lanes: number };
type RunningLane = Pick<DueLane, 'lane' | 'accountId' | 'failing'> & { sinceMs: number };

/**
 * Shares the slots of a sender among accounts by the time they used recently, because successful attempts may take as long
 * as failing ones. Slow lanes leave room for the others, which then don't wait for them. `nowMs`: a monotonic clock.
 */
export function openLaneSlots(nowMs: () => number = () => performance.now()) {
  const running = new Map<string, RunningLane>();
  const past = openUseMemory(nowMs);
  let crowded = false;
  return {
    /** Take the free slots for due lanes, which are in the order of their waiting time. Returns the lanes to run. */
    take: (due: readonly DueLane[]): DueLane[] => {
      const useOf = measureUse([...running.values()], past, nowMs());
      const isSlow = (lane: Pick<DueLane, 'accountId' | 'failing'>) =>
        lane.failing || useOf(lane.accountId).seconds > heavyS;
      let waiting = due.filter(({ lane }) => !running.has(lane));
      const taken: DueLane[] = [];
      for (;;) {
        const endpoints = countByEndpoint(running.keys());
        waiting = waiting.filter(({ lane }) => (endpoints.get(endpointOf(lane)) ?? 0) < lanesOfOne);
        const hasSlowRoom = [...running.values()].filter(isSlow).length < slowSlots;
        const fitting = hasSlowRoom ? waiting : waiting.filter((lane) => !isSlow(lane));
        const next = running.size < slots ? pickNext(fitting, useOf) : undefined;
        if (!next) break;
        waiting = waiting.filter((other) => other !== next);
        running.set(next.lane, { ...next, sinceMs: nowMs() });
        useOf(next.accountId).lanes += 1;
        taken.push(next);
      }
      crowded = waiting.length > 0;
      return taken;
    },
    release: (lane: string) => {
      const ended = running.get(lane);
      if (!ended) return;
      running.delete(lane);
      past.add(ended.accountId, (nowMs() - ended.sinceMs) / 1_000);
    },
    /** Whether lanes waited for a slot when slots were taken last. */
    isCrowded: () => crowded,
  };
}

type UseMemory = ReturnType<typeof openUseMemory>;

/** Remembers the seconds in slots that accounts used, and forgets them with time. */
function openUseMemory(nowMs: () => number) {
  const uses = new Map<string, { seconds: number; atMs: number }>();
  const read = (accountId: string): number => {
    const { seconds, atMs } = uses.get(accountId) ?? { seconds: 0, atMs: 0 };
    const left = seconds * Math.exp((atMs - nowMs()) / 1_000 / memoryS);
    return left < leastS ? 0 : left;
  };
  return {
    read,
    add: (accountId: string, seconds: number): void => {
      uses.set(accountId, { seconds: read(accountId) + seconds, atMs: nowMs() });
      for (const id of uses.keys()) if (read(id) === 0) uses.delete(id);
    },
  };
}

/** Returns a function that finds the use of an account, including its running lanes. */
function measureUse(running: readonly RunningLane[], past: UseMemory, atMs: number): (accountId: string) => Use {
  const uses = new Map<string, Use>();
  const useOf = (accountId: string): Use => {
    const use = uses.get(accountId) ?? { seconds: past.read(accountId), lanes: 0 };
    uses.set(accountId, use);
    return use;
  };
  for (const { accountId, sinceMs } of running) {
    const use = useOf(accountId);
    use.seconds += (atMs - sinceMs) / 1_000;
    use.lanes += 1;
  }
  return useOf;
}

/** Lanes for single jobs are named by their endpoint and the host. */
const endpointOf = (lane: string): string => lane.split(' ', 1)[0] ?? lane;

function countByEndpoint(lanes: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const lane of lanes) counts.set(endpointOf(lane), (counts.get(endpointOf(lane)) ?? 0) + 1);
  return counts;
}

/** Returns the lane of the account that used the least, accounts within their share first. */
function pickNext(waiting: readonly DueLane[], useOf: (accountId: string) => Use): DueLane | undefined {
  let best: { lane: DueLane; use: Use } | undefined;
  for (const lane of waiting) {
    const use = useOf(lane.accountId);
    if (!best || compareUse(use, best.use) < 0) best = { lane, use };
  }
  return best?.lane;
}

const compareUse = (a: Use, b: Use): number =>
  Number(a.lanes >= accountSlots) - Number(b.lanes >= accountSlots) || a.seconds - b.seconds || a.lanes - b.lanes;
