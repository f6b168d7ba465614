import { type WorkerInfo, workerInfoSchema } from '@uprez/contracts/health';
import type { QueueOptions } from './open-queue.ts';
import { openRedisClient } from './open-redis-client.ts';
import { parseJson } from './parse-json.ts';

const lifeS = 15;

export type WorkerRegistry = {
  /** Say that this worker lives; repeat at least every 10 s. Best effort. */
  announce: (info: WorkerInfo) => Promise<void>;
  withdraw: (id: string) => Promise<void>;
  /** Workers that announced themselves in the last 15 s. Rejects when Redis is away. */
  list: () => Promise<WorkerInfo[]>;
  close: () => Promise<void>;
};

/** The list of living workers, kept in Redis as one short-lived key each. */
export function openWorkerRegistry({ url, prefix, onError }: QueueOptions): WorkerRegistry {
  const client = openRedisClient(url, 'command', onError);
  const key = (id: string) => `${prefix}:worker:${id}`;
  return {
    announce: async (info) => {
      await client.set(key(info.id), JSON.stringify(info), 'EX', lifeS).catch(onError);
    },
    withdraw: async (id) => {
      await client.del(key(id)).catch(onError);
    },
    list: async () => {
      const keys: string[] = [];
      for await (const page of client.scanStream({ match: key('*'), count: 1_000 })) keys.push(...page);
      const values = keys.length > 0 ? await client.mget(keys) : [];
      return values.map((value) => parseJson(workerInfoSchema, value)).filter((info) => info !== undefined);
    },
    close: () => Promise.resolve(client.disconnect()),
  };
}
