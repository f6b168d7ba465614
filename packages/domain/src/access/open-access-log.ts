import { createHash } from 'node:crypto';
import { accessLogLimits } from '@uprez/contracts/policy/admin/logs';
import {
  type AccessRecord,
  insertAccessEvents,
  insertKeyUses,
  type NewAccessEvent,
} from '@uprez/db/queries/access/access-events';
import type { Needs } from '../context.ts';
import { isDatabaseUnavailable } from '../open-connections.ts';

export type AccessEvent = NewAccessEvent;

type AccessLog = {
  /** Buffers an event for the next flush. Never throws. */
  record: (event: AccessEvent) => void;
  /** Counts a call with an API key. The key's first call from a network is also recorded as an event. Never throws. */
  countKey: (event: AccessEvent) => void;
  /** Writes what has been recorded so far. If the database is unavailable, everything stays buffered. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
};

type Options = Needs<'db' | 'log'> & {
  onLost: () => void;
  max?: number;
};

/**
 * Returns a key that is equal for rejected requests that share a row, or null for other events. The key excludes the
 * user agent, because a program could vary it to create more rows.
 */
function toGroupKey({ kind, userId, keyId, address, method, path, status }: AccessEvent): string | null {
  if (kind !== 'rejected') return null;
  return createHash('sha256')
    .update(JSON.stringify([userId, keyId, address, method, path, status]))
    .digest('base64url');
}

const toRecord = ({ item, ...rest }: BufferedItem<AccessEvent>): AccessRecord => ({
  ...rest,
  event: item,
  group: toGroupKey(item),
});

/**
 * Opens the access log. Events are buffered in memory and written in bulk every second, which means that requests don't
 * wait for the database. Events that exceed `max` or can't be written are lost. Lost events are counted and logged.
 */
export function openAccessLog({ db, log, onLost, max = accessLogLimits.buffered }: Options): AccessLog {
  const lose = (count: number, error?: unknown) => {
    for (let i = 0; i < count; i += 1) onLost();
    unreported += count;
    if (error) log.error({ err: error, count }, 'writing access events failed');
  };
  let unreported = 0;
  const events = makeFlushBuffer<AccessEvent>({
    max,
    write: (items) => insertAccessEvents(db, items.map(toRecord)),
    onLost: lose,
  });
  const keyUses = makeFlushBuffer<AccessEvent>({
    max,
    write: (items) => insertKeyUses(db, items.map(toRecord)),
    onLost: lose,
  });
  const report = () => {
    if (unreported > 0) log.warn({ count: unreported }, 'access events lost');
    unreported = 0;
  };
  const flush = async () => {
    await Promise.all([events.flush(), keyUses.flush()]);
    report();
  };
  const timer = setInterval(() => void flush(), accessLogLimits.flushMs);
  return {
    record: (event) => events.add(toGroupKey(event) ?? event.requestId, event),
    countKey: (event) => keyUses.add(`${event.keyId} ${event.network}`, { ...event, kind: 'key_new_network' }),
    flush,
    close: async () => {
      clearInterval(timer);
      await Promise.all([events.close(), keyUses.close()]);
      report();
    },
  };
}

type Entry<Item> = { item: Item; since: number; count: number };
/** A held item. `ageS`: seconds since it was first added. `count`: how often it was added. */
export type BufferedItem<Item> = { item: Item; ageS: number; count: number };

type BufferOptions<Item> = {
  /** Maximum number of distinct items held. */
  max: number;
  write: (items: BufferedItem<Item>[]) => Promise<void>;
  onLost: (count: number, error?: unknown) => void;
};

type FlushBuffer<Item> = {
  /** Holds an item until the next flush. Items with equal keys are stored once, with a count. Never throws. */
  add: (key: string, item: Item) => void;
  /** Writes the held items. If the database is unavailable, keeps them for the next flush. Never throws. */
  flush: () => Promise<void>;
  /** Flushes, then reports the items that still couldn't be written as lost. */
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
