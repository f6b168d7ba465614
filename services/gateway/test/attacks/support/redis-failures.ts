import { setTimeout as delay } from 'node:timers/promises';
import type { RedisHandle } from '@uprez/local-stack/open-redis';

const hangMs = 5_000;

/** Ways in which Redis fails for a while. */
export const redisFailures: Record<string, (redis: RedisHandle) => Promise<void>> = {
  empty: (redis) => redis.empty(),
  kill: async (redis) => {
    await redis.kill('SIGKILL');
    await redis.start();
  },
  hang: async (redis) => {
    process.kill(redis.pid, 'SIGSTOP');
    await delay(hangMs);
    process.kill(redis.pid, 'SIGCONT');
  },
};

/** Responses that are right while Redis is away. */
export const isUnavailable = (error: string): boolean => error.startsWith('503 ');

/** What services report while Redis is away. */
export const redisWarnings =
  /redis|connection failed|rate limits count in memory|free work is not counted|Command timed out|Connection is closed|Command aborted|Stream isn't writeable/i;
