import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { openConnections } from '@uprez/domain/open-connections';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { probeJail } from '@uprez/runtime/jail';
import type { Logger } from '@uprez/runtime/open-logger';
import { openMetrics, registerPoolMetrics } from '@uprez/runtime/open-metrics';
import type { Config } from './config.ts';
import { openJobMetrics } from './job-metrics.ts';

/** Open the connections of the worker. */
export function openDeps(config: Config, logger: Logger) {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'connection failed');
  const connections = openConnections(config, onError);
  const metrics = openMetrics();
  registerPoolMetrics(metrics, connections.poolStats);
  const registry = openWorkerRegistry(connections.redis);
  return {
    ...connections,
    config,
    log: logger,
    metrics,
    jobMetrics: openJobMetrics(metrics),
    registry,
    jail: probeJail(config.JAIL),
    /** Identifies this process in leases and folders: host, process ID, and a random suffix. */
    workerId: `${os.hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
    close: async () => {
      await registry.close();
      await connections.close();
    },
  };
}
export type Deps = ReturnType<typeof openDeps>;
