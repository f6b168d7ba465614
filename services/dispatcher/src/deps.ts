import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { makeMailSender } from '@uprez/domain/mails/send-mails';
import { makeFirstSettings } from '@uprez/domain/settings/first-settings';
import { openSettings } from '@uprez/domain/settings/open-settings';
import type { FetchNetwork } from '@uprez/domain/uploads/fetch-upload';
import { openVault } from '@uprez/domain/vault';
import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import type { Logger } from '@uprez/runtime/open-logger';
import { openMetrics, registerPoolMetrics } from '@uprez/runtime/open-metrics';
import { openStorage } from '@uprez/storage/open-storage';
import type { Config } from './config.ts';

/** Open the dispatcher's connections. */
export function openDeps(config: Config, logger: Logger) {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'connection failed');
  const {
    db,
    poolStats,
    close: closeDb,
  } = openDb({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, onError });
  const maintenance = openDb({ url: config.DATABASE_URL, poolSize: 2, onError, timeouts: maintenanceTimeouts });
  const metrics = openMetrics();
  registerPoolMetrics(metrics, poolStats);
  const redis = { url: config.REDIS_URL, prefix: config.QUEUE_PREFIX, onError };
  const vault = openVault(config.VAULT_SECRET);
  const storage = openStorage(config.storage);
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  const settings = openSettings({ db, vault, first: makeFirstSettings(config) });
  return {
    config,
    log: logger,
    metrics,
    db,
    /** For tasks whose statements may run longer than those of a request. */
    maintenanceDb: maintenance.db,
    vault,
    settings,
    mailSender: makeMailSender({ db, log: logger, settings }, config.PUBLIC_URL),
    storage,
    storageId: () => findInstanceFact(db, 'storage_id'),
    queue,
    publisher,
    network: undefined as FetchNetwork | undefined,
    close: async () => {
      await Promise.all([queue.close(), publisher.close(), storage.close()]);
      await Promise.all([closeDb(), maintenance.close()]);
    },
  };
}
export type Deps = ReturnType<typeof openDeps>;
