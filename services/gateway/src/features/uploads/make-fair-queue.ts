import { AppError } from '@uprez/contracts/errors/app-error';
import { formatWait } from '@uprez/contracts/texts/format';

/** Whose tasks are counted together. `maxWaiting`: so many of them may wait at once. */
export type QueueCaller = { key: string; maxWaiting: number };
export type FairQueueOptions = {
  /** Tasks of all callers that run at once. One caller gets at most half of the slots. */
  slots: number;
  /** Time after which half of a caller's used time is forgotten. */
  halfLifeMs: number;
  /** Seconds after which a rejected caller may try again. */
  retryAfterS: number;
  /** Called when a caller is rejected. */
  onReject?: () => void;
  /** Returns milliseconds. */
  now?: () => number;
};

/** A queue whose next task comes from the caller that recently used the least time in it. */
export function makeFairQueue({ slots, halfLifeMs, now = () => performance.now(), ...options }: FairQueueOptions) {
  const callers = makeCallers({ maxRunning: Math.max(1, Math.floor(slots / 2)), halfLifeMs, now });
  let freeSlots = slots;

  function startTasks(): void {
    while (freeSlots > 0) {
      const next = callers.next();
      if (!next) return;
      freeSlots--;
      next.running++;
      next.waiting.shift()?.();
    }
  }

  return {
    /** Runs a task when it is its caller's turn. Throws `rate_limited` when too many tasks of the caller wait. */
    run: async <T>({ key, maxWaiting }: QueueCaller, task: () => Promise<T>): Promise<T> => {
      const caller = callers.get(key);
      if (caller.waiting.length >= maxWaiting) reject(maxWaiting, options);
      await new Promise<void>((resolve) => {
        caller.waiting.push(resolve);
        startTasks();
      });
      const start = now();
      try {
        return await task();
      } finally {
        callers.addUse(caller, now() - start);
        caller.running--;
        freeSlots++;
        startTasks();
      }
    },
    /** Number of tasks that wait. */
    countWaiting: callers.countWaiting,
  };
}

function reject(limit: number, { retryAfterS, onReject }: Pick<FairQueueOptions, 'retryAfterS' | 'onReject'>): never {
  onReject?.();
  const detail = `Too many of your images are waiting to be inspected. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('rate_limited', { detail, meta: { limit, retryAfterS } });
}

/** `waiting`: functions that start its tasks, in their order. `usedMs`: as of the time `at`. */
type Caller = { waiting: (() => void)[]; running: number; usedMs: number; at: number };

/** A use below this is forgotten. */
const negligibleMs = 1;

type CallersOptions = Required<Pick<FairQueueOptions, 'halfLifeMs' | 'now'>> & { maxRunning: number };

/** The callers that have tasks or used the queue recently. */
function makeCallers({ maxRunning, halfLifeMs, now }: CallersOptions) {
  const callers = new Map<string, Caller>();
  const usedMs = ({ usedMs, at }: Caller) => usedMs * 2 ** ((at - now()) / halfLifeMs);
  const isForgotten = (caller: Caller) =>
    caller.running === 0 && caller.waiting.length === 0 && usedMs(caller) < negligibleMs;
  return {
    get: (key: string): Caller => {
      const caller = callers.get(key) ?? { waiting: [], running: 0, usedMs: 0, at: now() };
      callers.set(key, caller);
      return caller;
    },
    addUse: (caller: Caller, ms: number): void => {
      Object.assign(caller, { usedMs: usedMs(caller) + ms, at: now() });
    },
    /** The caller whose task is next. Callers without recent use are forgotten. */
    next: (): Caller | undefined => {
      let next: Caller | undefined;
      for (const [key, caller] of callers) {
        if (isForgotten(caller)) callers.delete(key);
        if (caller.waiting.length === 0 || caller.running >= maxRunning) continue;
        if (!next || usedMs(caller) < usedMs(next)) next = caller;
      }
      return next;
    },
    countWaiting: () => [...callers.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
  };
}
