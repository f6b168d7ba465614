export type FairQueueOptions = {
  /** Maximum number of concurrent tasks for all callers together. */
  slots: number;
  /** Default: half of all slots. */
  slotsEach?: number;
  /**
   * Callers that may use only some of the slots: at most `slots` together and `slotsEach` per caller. If several
   * callers have the most waiting tasks, tasks of the group are rejected first.
   */
  group?: { includes: (key: string) => boolean; slots: number; slotsEach: number };
  /** Half-life of a caller's used time, in milliseconds. */
  halfLifeMs: number;
  /**
   * Maximum number of waiting tasks for all callers together. If it is exceeded, the newest task of the caller with the
   * most waiting tasks is rejected.
   */
  maxWaiting?: number;
  onWait?: () => void;
  /** Returns the current time in milliseconds. */
  now?: () => number;
};

export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

export type FairQueue = ReturnType<typeof makeFairQueue>;

/** Creates a queue that gives the next free slot to the caller that has recently used the least time. */
export function makeFairQueue(options: FairQueueOptions) {
  const { group, halfLifeMs, maxWaiting = Infinity, onWait, now = () => performance.now() } = options;
  const slots = makeSlots(options);
  const callers = makeCallers({ halfLifeMs, now, isGrouped: (key) => group?.includes(key) ?? false });
  const line = makeLine(callers, maxWaiting);

  function fillSlots(): void {
    while (true) {
      const next = line.takeNext(slots.isFreeFor);
      if (!next) return;
      slots.take(next.caller);
      next.start();
    }
  }

  function leave(caller: Caller, start: number): void {
    callers.addUse(caller, now() - start);
    slots.free(caller);
    fillSlots();
  }

  /** Waits for a slot and resolves with a function that frees it. Throws `QueueFullError`. */
  async function enter(key: string): Promise<() => void> {
    const caller = callers.get(key);
    if (slots.isFreeFor(caller) && caller.waiting.length === 0) {
      slots.take(caller);
    } else {
      onWait?.();
      await line.join(caller);
    }
    const start = now();
    return () => leave(caller, start);
  }

  return {
    enter,
    /** Runs a task when its caller's turn comes. Throws `QueueFullError`. */
    run: async <T>(key: string, task: () => Promise<T>): Promise<T> => {
      const leave = await enter(key);
      try {
        return await task();
      } finally {
        leave();
      }
    },
    countWaitingOf: (key: string): number => callers.find(key)?.waiting.length ?? 0,
    countWaiting: line.count,
  };
}

type Waiting = { start: () => void; reject: (error: QueueFullError) => void };
/** `usedMs`: recently used time, decayed to the time `at`. */
type Caller = { waiting: Waiting[]; running: number; usedMs: number; at: number; isGrouped: boolean };
type CallerOptions = { halfLifeMs: number; now: () => number; isGrouped: (key: string) => boolean };

function makeSlots({ slots, slotsEach, group }: Pick<FairQueueOptions, 'slots' | 'slotsEach' | 'group'>) {
  const maxRunning = slotsEach ?? Math.max(1, Math.floor(slots / 2));
  let free = slots;
  let freeOfGroup = group?.slots ?? 0;
  const isFreeInGroup = ({ running, isGrouped }: Caller) =>
    !group || !isGrouped || (freeOfGroup > 0 && running < group.slotsEach);
  const change = (caller: Caller, count: number) => {
    free -= count;
    caller.running += count;
    if (caller.isGrouped) freeOfGroup -= count;
  };
  return {
    isFreeFor: (caller: Caller): boolean => free > 0 && caller.running < maxRunning && isFreeInGroup(caller),
    take: (caller: Caller): void => change(caller, 1),
    free: (caller: Caller): void => change(caller, -1),
  };
}

function makeLine(callers: ReturnType<typeof makeCallers>, maxWaiting: number) {
  const waiting = new Set<Caller>();
  let count = 0;

  function take(caller: Caller | undefined, from: 'first' | 'last') {
    const task = from === 'first' ? caller?.waiting.shift() : caller?.waiting.pop();
    if (!caller || !task) return undefined;
    count -= 1;
    if (caller.waiting.length === 0) waiting.delete(caller);
    return { caller, ...task };
  }

  return {
    count: () => count,
    /** Resolves when the task has a slot. */
    join: (caller: Caller): Promise<void> =>
      new Promise<void>((start, reject) => {
        waiting.add(caller);
        caller.waiting.push({ start, reject });
        count += 1;
        if (count > maxWaiting)
          take(callers.findMostWaiting(waiting), 'last')?.reject(new QueueFullError('too many tasks wait'));
      }),
    takeNext: (isEligible: (caller: Caller) => boolean) => take(callers.findLeastUsed(waiting, isEligible), 'first'),
  };
}

/** Used time below which an idle caller can be removed, in milliseconds. */
const negligibleMs = 1;
/** Number of callers at which idle callers are first removed. They are removed again each time the number doubles. */
const manyCallers = 100;

function makeCallers({ halfLifeMs, now, isGrouped }: CallerOptions) {
  const callers = new Map<string, Caller>();
  let forgetAt = manyCallers;
  const usedMs = ({ usedMs, at }: Caller) => usedMs * 2 ** ((at - now()) / halfLifeMs);
  const isForgotten = (caller: Caller) =>
    caller.running === 0 && caller.waiting.length === 0 && usedMs(caller) < negligibleMs;

  function add(key: string): Caller {
    if (callers.size >= forgetAt) {
      for (const [key, caller] of callers) if (isForgotten(caller)) callers.delete(key);
      forgetAt = Math.max(manyCallers, 2 * callers.size);
    }
    const caller = { waiting: [], running: 0, usedMs: 0, at: now(), isGrouped: isGrouped(key) };
    callers.set(key, caller);
    return caller;
  }

  return {
    find: (key: string): Caller | undefined => callers.get(key),
    get: (key: string): Caller => callers.get(key) ?? add(key),
    addUse: (caller: Caller, ms: number): void => {
      Object.assign(caller, { usedMs: usedMs(caller) + ms, at: now() });
    },
    findLeastUsed: (among: Iterable<Caller>, isEligible: (caller: Caller) => boolean): Caller | undefined => {
      let least: Caller | undefined;
      for (const caller of among) if (isEligible(caller) && (!least || usedMs(caller) < usedMs(least))) least = caller;
      return least;
    },
    /**
     * Returns the caller with the most waiting tasks. If several callers have the most, prefers callers of the group,
     * then the caller with the most used time, then the last one.
     */
    findMostWaiting: (among: Iterable<Caller>): Caller | undefined => {
      const compare = (a: Caller, b: Caller) =>
        a.waiting.length - b.waiting.length || Number(a.isGrouped) - Number(b.isGrouped) || usedMs(a) - usedMs(b);
      let most: Caller | undefined;
      for (const caller of among) if (!most || compare(caller, most) >= 0) most = caller;
      return most;
    },
  };
}
