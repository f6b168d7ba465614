import { EventEmitter } from 'node:events';
import { openDb } from '@uprez/db/open-db';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { openQueueOrder } from '@uprez/domain/jobs/queue-order';
import { makeFirstSettings } from '@uprez/domain/settings/first-settings';
import { openSettings } from '@uprez/domain/settings/open-settings';
import type { FetchNetwork } from '@uprez/domain/uploads/fetch-upload';
import { openVault } from '@uprez/domain/vault';
import { openCounterStore } from '@uprez/queue/open-counter-store';
import { openJobPublisher, openJobSubscriber } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { probeJail } from '@uprez/runtime/jail';
import type { Logger } from '@uprez/runtime/open-logger';
import { openMetrics, registerPoolMetrics } from '@uprez/runtime/open-metrics';
import { openStorage } from '@uprez/storage/open-storage';
import type { Config } from './config.ts';
import { openInspector } from './features/uploads/open-inspector.ts';

/** Open everything the gateway talks to. Nothing is reached yet: services may come up in any order. */
export function openDeps(config: Config, logger: Logger) {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'a connection failed');
  const {
    db,
    poolStats,
    close: closeDb,
  } = openDb({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, onError });
  const metrics = openMetrics();
  registerPoolMetrics(metrics, poolStats);
  const redis = { url: config.REDIS_URL, prefix: config.QUEUE_PREFIX, onError };
  const jail = probeJail(config.JAIL);
  const vault = openVault(config.VAULT_SECRET);
  const storage = openStorage(config.storage);
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  const subscriber = openJobSubscriber(redis);
  const registry = openWorkerRegistry(redis);
  const counters = openCounterStore(redis);
  const inspector = openInspector({ jail, logger, storage, metrics });
  return {
    config,
    log: logger,
    metrics,
    db,
    vault,
    settings: openSettings({ db, vault, first: makeFirstSettings(config) }),
    storage,
    storageId: () => findInstanceFact(db, 'storage_id'),
    queue,
    publisher,
    subscriber,
    registry,
    counters,
    inspector,
    queueOrder: openQueueOrder({ db }),
    /** Says `item` when there are images of batches to fetch. */
    toFetch: new EventEmitter<{ item: [] }>(),
    network: undefined as FetchNetwork | undefined,
    jail,
    close: async () => {
      await inspector.close();
      await Promise.all([queue, publisher, subscriber, registry, counters, storage].map((client) => client.close()));
      await closeDb();
    },
  };
}
export type Deps = ReturnType<typeof openDeps>;
