import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { sharedPool } from '@uprez/contracts/policy/admin/worker-pools';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import { openConnections } from '@uprez/domain/open-connections';
import { watchLimits } from '@uprez/domain/report-limit';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { probeJail } from '@uprez/runtime/jail';
import type { Logger } from '@uprez/runtime/open-logger';
import {
  type Metrics,
  openServiceMetrics,
  registerChildMetrics,
  registerLimitMetrics,
} from '@uprez/runtime/open-metrics';
import type { Config } from './config.ts';
import { readPrintProfiles } from './print-profiles.ts';

export function openDeps(config: Config, logger: Logger) {
  const connections = openConnections(config, (error) => logger.warn({ reason: error.message }, 'connection failed'));
  const metrics = openServiceMetrics(connections);
  const stopCounting = watchLimits(registerLimitMetrics(metrics));
  const registry = openWorkerRegistry(connections.redis);
  return {
    ...connections,
    config,
    log: logger,
    metrics,
    jobMetrics: openJobMetrics(metrics, config.WORKER_POOL ?? sharedPool),
    registry,
    printProfiles: readPrintProfiles(config.PROFILES_DIR, (skipped) => logger.warn(skipped, 'print profile skipped')),
    jail: probeJail(config.JAIL),
    /** Identifies this process in leases and folders: host, process ID, and a random suffix. */
    workerId: `${os.hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
    close: async () => {
      stopCounting();
      await registry.close();
      await connections.close();
    },
  };
}
export type Deps = ReturnType<typeof openDeps>;

/** `returned`: back in the queue, not counted as a failure. `lost`: the lease expired. */
export type AttemptOutcome = 'completed' | 'failed' | 'returned' | 'lost' | 'canceled';

function openJobMetrics(metrics: Metrics, pool: string) {
  return {
    claims: metrics.histogram({
      name: 'job_claim_duration_seconds',
      help: 'Duration of claims, by whether a job was claimed.',
      labels: ['claimed'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    }),
    waits: metrics.histogram({
      name: 'job_queue_wait_seconds',
      help: 'Time from the creation of a job to its first attempt, by the pool of the worker.',
      labels: ['pool'],
      buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
      initial: [{ pool }],
    }),
    results: metrics.histogram({
      name: 'job_result_seconds',
      help: 'Time from the creation of a job to its stored result, by plan. Test jobs of the API are left out.',
      labels: ['plan'],
      buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600],
      // Starts the series of each plan at 0, because the first result of a new worker must count. The worker may have
      // been started for the longest-waiting job.
      initial: [...tiers, 'visitor'].map((plan) => ({ plan })),
    }),
    attempts: metrics.histogram({
      name: 'job_duration_seconds',
      help: 'Duration of attempts by engine and outcome.',
      labels: ['engine', 'outcome'],
      buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600],
    }),
    childExits: registerChildMetrics(metrics, 'pixels'),
  };
}
