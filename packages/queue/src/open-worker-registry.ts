import { type WorkerInfo, workerInfoSchema } from '@uprez/contracts/schemas/health';
import type { QueueOptions } from './open-queue.ts';
import { openRedisClient, parseJson } from './open-redis-client.ts';

const lifeS = 15;

export type WorkerRegistry = {
  /** Registers this worker. Must be repeated at least every 10 s. Best effort. */
  announce: (info: WorkerInfo) => Promise<void>;
  withdraw: (id: string) => Promise<void>;
  /** Lists the workers that were announced in the last 15 s. Rejects while Redis is unavailable. */
  list: () => Promise<WorkerInfo[]>;
  close: () => Promise<void>;
};

/**
 * Opens the registry of running workers. Stores a short-lived key for each worker and a set of their IDs, because
 * finding the keys with a scan would read all keys in Redis.
 */
export function openWorkerRegistry({ url, prefix, onError }: QueueOptions): WorkerRegistry {
  const client = openRedisClient(url, 'command', onError);
  const key = (id: string) => `${prefix}:worker:${id}`;
  const ids = `${prefix}:workers`;
  return {
    announce: async (info) => {
      await client.set(key(info.id), JSON.stringify(info), 'EX', lifeS).catch(onError);
      await client.sadd(ids, info.id).catch(onError);
    },
    withdraw: async (id) => {
      await client.del(key(id)).catch(onError);
      await client.srem(ids, id).catch(onError);
    },
    list: async () => {
      const known = await client.smembers(ids);
      if (known.length === 0) return [];
      const values = await client.mget(known.map(key));
      const silent = known.filter((_, index) => values[index] === null);
      if (silent.length > 0) await client.srem(ids, silent);
      return values.map((value) => parseJson(workerInfoSchema, value)).filter((info) => info !== undefined);
    },
    close: () => Promise.resolve(client.disconnect()),
  };
}
