import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { makeMailSender } from '@uprez/domain/mails/send-mails';
import { makeCampaignSender } from '@uprez/domain/newsletter/sending/send-campaigns';
import { openConnections } from '@uprez/domain/open-connections';
import { watchLimits } from '@uprez/domain/report-limit';
import { makeFirstSettings } from '@uprez/domain/settings/first-settings';
import { openSettings } from '@uprez/domain/settings/open-settings';
import type { FetchNetwork } from '@uprez/domain/uploads/begin-upload';
import { openVault } from '@uprez/domain/vault';
import type { Logger } from '@uprez/runtime/open-logger';
import { openServiceMetrics, registerLimitMetrics } from '@uprez/runtime/open-metrics';
import { listensOnLoopback } from '@uprez/runtime/parse-settings';
import type { Config } from './config.ts';

export function openDeps(config: Config, logger: Logger) {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'connection failed');
  const connections = openConnections(config, onError);
  const { db } = connections;
  const maintenance = openDb({ url: config.DATABASE_URL, poolSize: 2, onError, timeouts: maintenanceTimeouts });
  const metrics = openServiceMetrics(connections);
  const stopCounting = watchLimits(registerLimitMetrics(metrics));
  const vault = openVault(...config.VAULT_SECRET);
  const settings = openSettings({ db, vault, first: makeFirstSettings(config) });
  return {
    ...connections,
    config,
    log: logger,
    metrics,
    /** Database for tasks with statements that may run longer than those of a request. */
    maintenanceDb: maintenance.db,
    vault,
    settings,
    sendMails: makeMailSender({ db, log: logger, settings }, config.PUBLIC_URL),
    sendCampaigns: makeCampaignSender({ db, log: logger, settings, vault }, config.PUBLIC_URL),
    network: (listensOnLoopback(config) ? { sandboxLoopback: true } : undefined) as FetchNetwork | undefined,
    close: async () => {
      stopCounting();
      await Promise.all([connections.close(), maintenance.close()]);
    },
  };
}
export type Deps = ReturnType<typeof openDeps>;
