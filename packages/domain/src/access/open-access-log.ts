import { createHash } from 'node:crypto';
import { accessLogLimits } from '@uprez/contracts/policy/admin/access-log';
import {
  type AccessRecord,
  insertAccessEvents,
  insertKeyUses,
  type NewAccessEvent,
} from '@uprez/db/queries/access/access-events';
import type { Needs } from '../context.ts';
import { type Buffered, makeFlushBuffer } from './make-flush-buffer.ts';

export type AccessEvent = NewAccessEvent;

export type AccessLog = {
  /** Buffers an event for the next flush. Never throws. */
  record: (event: AccessEvent) => void;
  /** Counts a call with an API key. The key's first call from a network also becomes an event. Never throws. */
  countKey: (event: AccessEvent) => void;
  /** Writes what was recorded so far. While the database is unavailable, it stays buffered. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
};

type Options = Needs<'db' | 'log'> & {
  /** Called for each event that is lost. */
  onLost: () => void;
  max?: number;
};

/**
 * Returns the group key that rejected requests in one row share, or null for other events. Excludes the user agent,
 * which a program can vary.
 */
function groupOf({ kind, userId, keyId, address, method, path, status }: AccessEvent): string | null {
  if (kind !== 'rejected') return null;
  return createHash('sha256')
    .update(JSON.stringify([userId, keyId, address, method, path, status]))
    .digest('base64url');
}

const toRecord = ({ item, ...rest }: Buffered<AccessEvent>): AccessRecord => ({
  ...rest,
  event: item,
  group: groupOf(item),
});

/**
 * Opens the access log. Events are buffered in memory and written in bulk every second, so no request waits for them.
 * Events beyond `max` and those that can't be written are lost, counted, and logged.
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
    record: (event) => events.add(groupOf(event) ?? event.requestId, event),
    countKey: (event) => keyUses.add(`${event.keyId} ${event.network}`, { ...event, kind: 'key_new_network' }),
    flush,
    close: async () => {
      clearInterval(timer);
      await Promise.all([events.close(), keyUses.close()]);
      report();
    },
  };
}
