import { isDatabaseUnavailable as isUnavailable } from '@uprez/db/database-errors';
import { type Admit, openDb } from '@uprez/db/open-db';
import { findInstanceFact, ping } from '@uprez/db/queries/instance/instance';
import { readClock } from '@uprez/db/times';
import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import { openStorage, type StorageOptions } from '@uprez/storage/open-storage';
import type { Needs } from './context.ts';

export type { Admit };

type ConnectionSettings = {
  DATABASE_URL: string;
  DATABASE_POOL: number;
  REDIS_URL: string;
  QUEUE_PREFIX: string;
  storage: StorageOptions;
};

/**
 * Opens the connections that every service uses: database, storage, queue, and publisher. They connect on first use.
 * `admit` decides which caller gets the next database connection.
 */
export function openConnections(config: ConnectionSettings, onError: (error: Error) => void, admit?: Admit) {
  const database = openDb({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, onError, admit });
  const redis = { url: config.REDIS_URL, prefix: config.QUEUE_PREFIX, onError };
  const storage = openStorage(config.storage);
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  return {
    db: database.db,
    poolStats: database.poolStats,
    redis,
    storage,
    readClock: () => readClock(database.db),
    storageId: () => findInstanceFact(database.db, 'storage_id'),
    queue,
    publisher,
    close: async () => {
      await Promise.all([queue.close(), publisher.close(), storage.close()]);
      await database.close();
    },
  };
}

/** Whether an error means that the database is unreachable or overloaded. */
export const isDatabaseUnavailable = (error: unknown): boolean => isUnavailable(error);

/** Runs a query that needs no table. Throws when the database doesn't respond. */
export const pingDatabase = (ctx: Needs<'db'>): ReturnType<typeof ping> => ping(ctx.db);
