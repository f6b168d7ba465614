import { setMaxListeners } from 'node:events';
import { limits } from '@uprez/contracts/policy/limits';
import { type DueDestination, listDueDestinations } from '@uprez/db/queries/webhooks/due-destinations';
import { listAccountsWithNewEvents } from '@uprez/db/queries/webhooks/events';
import type { Needs } from '@uprez/domain/context';
import { releaseEvents } from '@uprez/domain/feed/release-events';
import { reportLimit } from '@uprez/domain/report-limit';
import { openWebhookPoster, type SentAttempt, sendNextDelivery } from '@uprez/domain/webhooks/send-next-delivery';
import { repeat } from '@uprez/runtime/repeat';

/**
 * Maximum time that a destination keeps its slot. Its next run resolves the host name again. `crowdedRunMs` is used
 * while other destinations are waiting for a slot.
 */
const runMs = 5_000;
const crowdedRunMs = 1_000;
/** Grace period for running attempts when the process stops. */
const drainMs = 3_000;
const pollSize = 500;

type SenderDeps = Needs<'db' | 'vault' | 'log' | 'network'> & { config: { PUBLIC_URL: string } };
type WebhookSender = { close: () => Promise<void> };
type OnAttempt = (attempt: SentAttempt) => void;

/** Releases new events and sends due deliveries. Each destination uses one slot. Safe to run in several processes. */
export function openWebhookSender(deps: SenderDeps, everyMs: number, onAttempt?: OnAttempt): WebhookSender {
  const stop = new AbortController();
  // Removes the limit on listeners, because each attempt adds one.
  setMaxListeners(0, stop.signal);
  const slots = openDestinationSlots();
  const running = new Map<string, Promise<void>>();
  const start = (due: DueDestination) => {
    const end = sendDueDeliveries(deps, due, { signal: stop.signal, isCrowded: slots.isCrowded, onAttempt })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) deps.log.warn({ err: error }, 'webhook deliveries of an endpoint failed, will retry');
      })
      .finally(() => {
        slots.release(due.destination);
        running.delete(due.destination);
      });
    running.set(due.destination, end);
  };
  const poll = async () => {
    // An error in one account must not stop the others.
    for (const accountId of await listAccountsWithNewEvents(deps.db, pollSize))
      await releaseEvents(deps, accountId).catch((error: unknown) =>
        deps.log.warn({ err: error, accountId }, 'releasing the events of an account failed, will retry'),
      );
    for (const due of slots.take(
      await listDueDestinations(deps.db, { limit: pollSize, ofOne: limits.jobWebhookSlots }),
    ))
      start(due);
    if (slots.isCrowded()) reportLimit('webhook_slots');
  };
  const polling = repeat(everyMs, poll, (error) =>
    deps.log.warn({ err: error }, 'polling for webhook deliveries failed'),
  );
  return {
    close: async () => {
      await polling.close();
      const timer = setTimeout(() => stop.abort(), drainMs);
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}

type RunOptions = { signal: AbortSignal; isCrowded: () => boolean; onAttempt: OnAttempt | undefined };

async function sendDueDeliveries(
  deps: SenderDeps,
  { destination, due }: DueDestination,
  { signal, isCrowded, onAttempt }: RunOptions,
): Promise<void> {
  const start = performance.now();
  const hasTime = () => performance.now() - start < (isCrowded() ? crowdedRunMs : runMs);
  const poster = openWebhookPoster(deps, limits.endpointAttempts);
  const sending = { destination, poster, publicUrl: deps.config.PUBLIC_URL, signal, onAttempt };
  const sendAll = async () => {
    while (!signal.aborted && hasTime()) if (!(await sendNextDelivery(deps, sending))) return;
  };
  // Waits for all loops even if one fails, because the others are still using the connections.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limits.endpointAttempts, due) }, sendAll));
  await poster.close();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** A destination is slow if its endpoint is failing or its account is heavy. */
const { webhookSlots: slots, slowWebhookSlots: slowSlots, accountWebhookSlots: accountSlots } = limits;
/** Time constant for the exponential decay of used slot time, in seconds. */
const decayS = 60;
/**
 * Recent slot time, in seconds, above which an account counts as a heavy user. Accounts exceed it if they use more than
 * two slots on average.
 */
const heavyUseS = 2 * decayS;
/** Recent slot time, in seconds, below which an account counts as unused. */
const minUseS = 0.01;

/** Slot time that an account has used recently, in seconds, and the number of slots that it is using now. */
type SlotUse = { seconds: number; slots: number };
type RunningDestination = Pick<DueDestination, 'destination' | 'accountId' | 'failing'> & { sinceMs: number };

/**
 * Shares a sender's slots among accounts. Accounts that have recently used less slot time come first. Successful
 * attempts count too, because they may take as long as failed ones. Slow destinations can't take all slots, so other
 * destinations don't have to wait for them. `nowMs`: a monotonic clock.
 */
export function openDestinationSlots(nowMs: () => number = () => performance.now()) {
  const running = new Map<string, RunningDestination>();
  const past = openUseMemory(nowMs);
  let crowded = false;
  return {
    /** Assigns free slots to due destinations, and returns the destinations to run. `due`: sorted by waiting time. */
    take: (due: readonly DueDestination[]): DueDestination[] => {
      const usageOf = measureUse([...running.values()], past, nowMs());
      const isSlow = ({ accountId, failing }: Pick<DueDestination, 'accountId' | 'failing'>) =>
        failing || usageOf(accountId).seconds > heavyUseS;
      let waiting = due.filter(({ destination }) => !running.has(destination));
      const taken: DueDestination[] = [];
      for (;;) {
        const endpoints = countByEndpoint(running.keys());
        waiting = waiting.filter(
          ({ destination }) => (endpoints.get(endpointOf(destination)) ?? 0) < limits.jobWebhookSlots,
        );
        const hasSlowRoom = [...running.values()].filter(isSlow).length < slowSlots;
        const fitting = hasSlowRoom ? waiting : waiting.filter((one) => !isSlow(one));
        const next = running.size < slots ? pickNextDestination(fitting, usageOf) : undefined;
        if (!next) break;
        waiting = waiting.filter((other) => other !== next);
        running.set(next.destination, { ...next, sinceMs: nowMs() });
        usageOf(next.accountId).slots += 1;
        taken.push(next);
      }
      crowded = waiting.length > 0;
      return taken;
    },
    release: (destination: string) => {
      const ended = running.get(destination);
      if (!ended) return;
      running.delete(destination);
      past.add(ended.accountId, (nowMs() - ended.sinceMs) / 1_000);
    },
    /** Whether the latest `take` left destinations waiting for a slot. */
    isCrowded: () => crowded,
  };
}

type UseMemory = ReturnType<typeof openUseMemory>;

function openUseMemory(nowMs: () => number) {
  const uses = new Map<string, { seconds: number; atMs: number }>();
  const read = (accountId: string): number => {
    const { seconds, atMs } = uses.get(accountId) ?? { seconds: 0, atMs: 0 };
    const left = seconds * Math.exp((atMs - nowMs()) / 1_000 / decayS);
    return left < minUseS ? 0 : left;
  };
  return {
    read,
    add: (accountId: string, seconds: number): void => {
      uses.set(accountId, { seconds: read(accountId) + seconds, atMs: nowMs() });
      for (const id of uses.keys()) if (read(id) === 0) uses.delete(id);
    },
  };
}

function measureUse(
  running: readonly RunningDestination[],
  past: UseMemory,
  atMs: number,
): (accountId: string) => SlotUse {
  const uses = new Map<string, SlotUse>();
  const useOf = (accountId: string): SlotUse => {
    const use = uses.get(accountId) ?? { seconds: past.read(accountId), slots: 0 };
    uses.set(accountId, use);
    return use;
  };
  for (const { accountId, sinceMs } of running) {
    const use = useOf(accountId);
    use.seconds += (atMs - sinceMs) / 1_000;
    use.slots += 1;
  }
  return useOf;
}

/** Destinations for single jobs consist of the endpoint and the host, separated by a space. */
const endpointOf = (destination: string): string => destination.split(' ', 1)[0] ?? destination;

function countByEndpoint(destinations: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const endpoint of [...destinations].map(endpointOf)) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  return counts;
}

/**
 * Returns the next destination to run. Prefers accounts that use fewer than `accountSlots` slots, and then the account
 * with the least recent slot time.
 */
function pickNextDestination(
  waiting: readonly DueDestination[],
  useOf: (accountId: string) => SlotUse,
): DueDestination | undefined {
  let best: { due: DueDestination; use: SlotUse } | undefined;
  for (const due of waiting) {
    const use = useOf(due.accountId);
    if (!best || compareUse(use, best.use) < 0) best = { due, use };
  }
  return best?.due;
}

const compareUse = (a: SlotUse, b: SlotUse): number =>
  Number(a.slots >= accountSlots) - Number(b.slots >= accountSlots) || a.seconds - b.seconds || a.slots - b.slots;
