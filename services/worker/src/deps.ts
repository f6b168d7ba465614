import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { openDb } from '@uprez/db/open-db';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { probeJail } from '@uprez/runtime/jail';
import type { Logger } from '@uprez/runtime/open-logger';
import { openMetrics, registerPoolMetrics } from '@uprez/runtime/open-metrics';
import { openStorage } from '@uprez/storage/open-storage';
import type { Config } from './config.ts';
import { openJobMetrics } from './job-metrics.ts';

/** Open the connections of the worker. */
export function openDeps(config: Config, logger: Logger) {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'connection failed');
  const {
    db,
    poolStats,
    close: closeDb,
  } = openDb({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, onError });
  const metrics = openMetrics();
  registerPoolMetrics(metrics, poolStats);
  const redis = { url: config.REDIS_URL, prefix: config.QUEUE_PREFIX, onError };
  const storage = openStorage(config.storage);
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  const registry = openWorkerRegistry(redis);
  return {
    config,
    log: logger,
    metrics,
    jobMetrics: openJobMetrics(metrics),
    redis,
    db,
    storage,
    storageId: () => findInstanceFact(db, 'storage_id'),
    queue,
    publisher,
    registry,
    jail: probeJail(config.JAIL),
    /** Identifies this process in leases and folders: host, process ID, and a random suffix. */
    workerId: `${os.hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
    close: async () => {
      await Promise.all([queue.close(), publisher.close(), registry.close(), storage.close()]);
      await closeDb();
    },
  };
}
export type Deps = ReturnType<typeof openDeps>;
