import type { QueueOptions } from './open-queue.ts';
import { openRedisClient } from './open-redis-client.ts';
import { isRedisUnavailable } from './redis-unavailable.ts';

export type CounterStore = {
  /** An ioredis client, for a library that counts with it. Its commands fail at once while Redis is away. */
  redis: object;
  /** Begins the name of every counter. */
  prefix: string;
  /** Whether a command failed because Redis can't be reached or can't serve it. */
  isUnavailable: (error: unknown) => error is Error;
  /** Settled once the first try to connect has ended, well or badly. */
  tried: Promise<void>;
  close: () => Promise<void>;
};

/** Open the place where all gateways count together. */
export function openCounterStore({ url, prefix, onError }: QueueOptions): CounterStore {
  const redis = openRedisClient(url, 'command', onError);
  const tried = new Promise<void>((resolve) => {
    for (const event of ['ready', 'close']) redis.once(event, () => resolve());
  });
  return {
    tried,
    redis,
    isUnavailable: isRedisUnavailable,
    prefix: `${prefix}:rate:`,
    close: () => Promise.resolve(redis.disconnect()),
  };
}
