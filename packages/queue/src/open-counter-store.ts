import type { QueueOptions } from './open-queue.ts';
import { openRedisClient } from './open-redis-client.ts';

export type CounterStore = {
  /** ioredis client for a rate limiting library. Its commands fail immediately while Redis is unavailable. */
  redis: object;
  /** Key prefix for the counters of the rate limiting library. */
  prefix: string;
  /**
   * Adds a cost to a caller's counter, unless the counter has reached `most`. Returns undefined if the cost was added,
   * otherwise the milliseconds until the counter expires.
   */
  spend: (caller: string, cost: Cost) => Promise<number | undefined>;
  /** Stores the caller of a batch or a job for `keptMs`. */
  keepCaller: (id: string, caller: string, keptMs: number) => Promise<void>;
  findCaller: (batchId: string) => Promise<string | undefined>;
  /** Whether a command failed because Redis can't be reached or can't serve it. */
  isUnavailable: (error: unknown) => error is Error;
  /** Resolves when the first connection attempt has succeeded or failed. */
  tried: Promise<void>;
  close: () => Promise<void>;
};

/** `windowMs`: length of the window, which starts with the first cost. */
export type Cost = { cost: number; most: number; windowMs: number };

/** Runs atomically, so concurrent calls from all gateways exceed the limit by at most one cost. */
const spendScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[2]) then return redis.call('PTTL', KEYS[1]) end
redis.call('INCRBYFLOAT', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return -1`;

/** Adds a cost to the counter of a job's stored caller, even beyond the limit. No-op if no caller is stored. */
export const addCostScript = `
local caller = redis.call('GET', KEYS[1])
if not caller then return end
local counter = ARGV[1] .. caller
redis.call('INCRBYFLOAT', counter, ARGV[2])
if redis.call('PTTL', counter) < 0 then redis.call('PEXPIRE', counter, ARGV[3]) end`;

export const counterKeys = (prefix: string) => ({ cost: `${prefix}:cost:`, caller: `${prefix}:caller:` });

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

/** Messages of the plain errors that ioredis rejects with while it is disconnected, and when a command times out. */
const connectionMessages: ReadonlySet<string> = new Set([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Connection is closed.',
  'Command aborted due to connection close',
  'Command timed out',
]);

/**
 * Matches error replies from a server that can't store data or isn't ready. Before Redis 7, error replies to scripts
 * contain these codes after a dash.
 */
const unavailableReply =
  /(?:^|-)(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|OOM|READONLY|TRYAGAIN|WRONGPASS) /;

/**
 * Whether a command failed because Redis can't be reached or can't serve it, rather than because of the command itself.
 */
export function isRedisUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error.name === 'MaxRetriesPerRequestError' || connectionMessages.has(error.message)) return true;
  return error.name === 'ReplyError' && unavailableReply.test(error.message);
}
