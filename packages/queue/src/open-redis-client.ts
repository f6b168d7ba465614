import { Redis, type RedisOptions } from 'ioredis';

export type RedisUse = 'command' | 'subscriber' | 'blocking';

/**
 * Opens a Redis client. `command`: commands fail immediately while Redis is unavailable. `subscriber` and `blocking`
 * (for BullMQ workers): commands are retried until Redis is available.
 */
export function openRedisClient(url: string, use: RedisUse, onError: (error: Error) => void): Redis {
  const options: Record<RedisUse, RedisOptions> = {
    command: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 2_000 },
    subscriber: { maxRetriesPerRequest: null },
    blocking: { maxRetriesPerRequest: null },
  };
  const client = new Redis(url, {
    // Long, because the event loop may be blocked for a while when a process starts on a busy machine.
    connectTimeout: 10_000,
    retryStrategy: (tries) => Math.min(50 * tries, 1_000),
    ...options[use],
  });
  client.on('error', onError);
  return client;
}

type Schema<T> = { safeParse: (value: unknown) => { data?: T | undefined } };

/** Parses JSON from Redis. Returns undefined if it is invalid or doesn't match the schema. */
export function parseJson<T>(schema: Schema<T>, text: string | null): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}
