import type { QueueOptions } from './open-queue.ts';
import { openRedisClient } from './open-redis-client.ts';

export type CounterStore = {
  /** An ioredis client, for a library that counts with it. Its commands fail at once while Redis is away. */
  redis: object;
  /** Begins the name of every counter. */
  prefix: string;
  /**
   * Adds a cost to what a caller has used, unless that has reached `most`. Returns undefined, or the milliseconds until the
   * counter ends.
   */
  spend: (caller: string, cost: Cost) => Promise<number | undefined>;
  /** Keeps the caller of a batch or a job for so many milliseconds. */
  keepCaller: (id: string, caller: string, keptMs: number) => Promise<void>;
  /** Returns the kept caller of a batch. */
  findCaller: (batchId: string) => Promise<string | undefined>;
  /** Whether a command failed because Redis can't be reached or can't serve it. */
  isUnavailable: (error: unknown) => error is Error;
  /** Settled once the first try to connect has ended, well or badly. */
  tried: Promise<void>;
  close: () => Promise<void>;
};

/** `windowMs`: from the first cost on. */
export type Cost = { cost: number; most: number; windowMs: number };

/** One step, so that concurrent calls of all gateways don't exceed the limit by more than one cost. */
const spendScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[2]) then return redis.call('PTTL', KEYS[1]) end
redis.call('INCRBYFLOAT', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return -1`;

/** Adds a cost to what the kept caller of a job has used, beyond any limit, or nothing if no caller is kept. */
export const addCostScript = `
local caller = redis.call('GET', KEYS[1])
if not caller then return end
local counter = ARGV[1] .. caller
redis.call('INCRBYFLOAT', counter, ARGV[2])
if redis.call('PTTL', counter) < 0 then redis.call('PEXPIRE', counter, ARGV[3]) end`;

/** Beginnings of the names of counters and kept callers. */
export const counterKeys = (prefix: string) => ({ cost: `${prefix}:cost:`, caller: `${prefix}:caller:` });

/** Open the place where all gateways count together. */
export function openCounterStore({ url, prefix, onError }: QueueOptions): CounterStore {
  const redis = openRedisClient(url, 'command', onError);
  const tried = new Promise<void>((resolve) => {
    for (const event of ['ready', 'close']) redis.once(event, () => resolve());
  });
  const keys = counterKeys(prefix);
  const spend = async (caller: string, { cost, most, windowMs }: Cost) => {
    const left = Number(await redis.eval(spendScript, 1, keys.cost + caller, cost, most, windowMs));
    return left < 0 ? undefined : left;
  };
  return {
    tried,
    spend,
    keepCaller: async (id, caller, keptMs) => void (await redis.set(keys.caller + id, caller, 'PX', keptMs)),
    findCaller: async (batchId) => (await redis.get(keys.caller + batchId)) ?? undefined,
    redis,
    isUnavailable: isRedisUnavailable,
    prefix: `${prefix}:rate:`,
    close: () => Promise.resolve(redis.disconnect()),
  };
}

/** ioredis rejects with plain errors while it has no connection, and when a command times out. */
const connectionMessages: ReadonlySet<string> = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command aborted due to connection close',
  'Command timed out',
]);

/** Replies of a server that can't store or isn't ready. Before Redis 7, replies to scripts contain them after a dash. */
const unavailableReply =
  /(?:^|-)(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|OOM|READONLY|TRYAGAIN|WRONGPASS) /;

/** Whether a command failed because Redis can't be reached or can't serve it, and not because of the command itself. */
export function isRedisUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error.name === 'MaxRetriesPerRequestError' || connectionMessages.has(error.message)) return true;
  return error.name === 'ReplyError' && unavailableReply.test(error.message);
}
