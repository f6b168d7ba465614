import { isDatabaseUnavailable } from '../open-connections.ts';

type Entry<Item> = { item: Item; since: number; count: number };
/** An item, the seconds since it was first added, and how often it was added. */
export type Buffered<Item> = { item: Item; ageS: number; count: number };

type BufferOptions<Item> = {
  /** Maximum number of distinct items held. */
  max: number;
  write: (items: Buffered<Item>[]) => Promise<void>;
  /** Called with the number of items that aren't written, and the error if writing failed. */
  onLost: (count: number, error?: unknown) => void;
};

export type FlushBuffer<Item> = {
  /** Holds an item until the next flush. Items with equal keys are held once and counted. Never throws. */
  add: (key: string, item: Item) => void;
  /** Writes the held items. Never throws: while the database is unavailable, items stay for the next flush. */
  flush: () => Promise<void>;
  /** Flushes, then reports items that couldn't be written as lost. */
  close: () => Promise<void>;
};

/** Creates a bounded in-memory buffer whose items are written in batches. */
export function makeFlushBuffer<Item>({ max, write, onLost }: BufferOptions<Item>): FlushBuffer<Item> {
  let held = new Map<string, Entry<Item>>();
  let writing: Promise<void> = Promise.resolve();

  const hold = (key: string, { count, ...entry }: Entry<Item>) => {
    const known = held.get(key);
    if (known) known.count += count;
    else if (held.size < max) held.set(key, { ...entry, count });
    else onLost(count);
  };
  const writeHeld = async () => {
    const batch = held;
    if (batch.size === 0) return;
    held = new Map();
    const at = performance.now();
    try {
      const items = [...batch.values()].map(({ since, ...rest }) => ({ ...rest, ageS: (at - since) / 1_000 }));
      await write(items);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) return onLost(countOf(batch), error);
      const newer = held;
      held = batch;
      for (const [key, entry] of newer) hold(key, entry);
    }
  };
  const flush = () => {
    writing = writing.then(writeHeld);
    return writing;
  };
  return {
    add: (key, item) => hold(key, { item, since: performance.now(), count: 1 }),
    flush,
    close: async () => {
      await flush();
      if (held.size > 0) onLost(countOf(held));
      held = new Map();
    },
  };
}

const countOf = (entries: ReadonlyMap<string, Entry<unknown>>): number =>
  [...entries.values()].reduce((sum, { count }) => sum + count, 0);
