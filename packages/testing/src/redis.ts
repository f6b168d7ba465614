// cspell:ignore bzpopmin
import { randomBytes } from 'node:crypto';
import type { QueueOptions } from '@uprez/queue/open-queue';
import { Redis } from 'ioredis';
import { getServices } from './open-test-database.ts';

/** Returns options for the tests' Redis with a unique prefix. */
export const makeRedisOptions = (onError: QueueOptions['onError'] = () => {}): QueueOptions => ({
  url: getServices().redisUrl,
  prefix: `t${randomBytes(6).toString('hex')}`,
  onError,
});

/** Opens a connection that reads and deletes Redis keys under one prefix, so other test files aren't affected. */
export function openRedisProbe({ url, prefix }: { url: string; prefix: string }) {
  const client = new Redis(url);
  const waiting = () => client.lrange(`${prefix}:image:wait`, 0, -1);
  const delayed = () => client.zrange(`${prefix}:image:delayed`, '0', '-1');
  return {
    client,
    /** `waiting` and `delayed` return the IDs of waiting and delayed messages. */
    waiting,
    delayed,
    /** Returns how many consumers are waiting for a message. */
    blocked: async () => {
      const clients = String(await client.client('LIST')).split('\n');
      return clients.filter((line) => line.includes(` name=${prefix}:`) && line.includes(' cmd=bzpopmin ')).length;
    },
    /** Deletes all keys, as when Redis loses its data. */
    empty: async () => {
      const keys = await client.keys(`${prefix}:*`);
      if (keys.length > 0) await client.del(keys);
    },
    close: () => client.disconnect(),
  };
}
export type RedisProbe = ReturnType<typeof openRedisProbe>;

/** Counts the Redis connections subscribed to an account's jobs. */
export async function countWatchers({ redis }: { redis: QueueOptions }, accountId: string): Promise<number> {
  const client = new Redis(redis.url);
  const [, count] = await client.pubsub('NUMSUB', `${redis.prefix}:jobs:${accountId}`);
  client.disconnect();
  return Number(count);
}
