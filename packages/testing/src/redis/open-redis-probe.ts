import { Redis } from 'ioredis';

/** A look at what lies in Redis under one prefix; other files' keys are none of a test's business. */
export function openRedisProbe({ url, prefix }: { url: string; prefix: string }) {
  const client = new Redis(url);
  const waiting = () => client.lrange(`${prefix}:image:wait`, 0, -1);
  const delayed = () => client.zrange(`${prefix}:image:delayed`, '0', '-1');
  return {
    client,
    /** Ids of messages that wait for a worker, and of those that wait for their time. */
    waiting,
    delayed,
    /** As if Redis had lost everything. */
    empty: async () => {
      const keys = await client.keys(`${prefix}:*`);
      if (keys.length > 0) await client.del(keys);
    },
    close: () => client.disconnect(),
  };
}
export type RedisProbe = ReturnType<typeof openRedisProbe>;
