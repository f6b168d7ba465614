import { openDb } from '@uprez/db/open-db';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import { openStorage, type StorageOptions } from '@uprez/storage/open-storage';

type ConnectionSettings = {
  DATABASE_URL: string;
  DATABASE_POOL: number;
  REDIS_URL: string;
  QUEUE_PREFIX: string;
  storage: StorageOptions;
};

/** Open what every service uses: database, storage, queue, and publisher. They connect when they are first used. */
export function openConnections(config: ConnectionSettings, onError: (error: Error) => void) {
  const database = openDb({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, onError });
  const redis = { url: config.REDIS_URL, prefix: config.QUEUE_PREFIX, onError };
  const storage = openStorage(config.storage);
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  return {
    db: database.db,
    poolStats: database.poolStats,
    redis,
    storage,
    storageId: () => findInstanceFact(database.db, 'storage_id'),
    queue,
    publisher,
    close: async () => {
      await Promise.all([queue.close(), publisher.close(), storage.close()]);
      await database.close();
    },
  };
}
