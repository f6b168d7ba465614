import { EventEmitter } from 'node:events';
import { limits } from '@uprez/contracts/policy/limits';
import { openAccessLog } from '@uprez/domain/access/open-access-log';
import { makeTermsCache } from '@uprez/domain/accounts/terms';
import { openKeyOrigins } from '@uprez/domain/api-keys/open-key-origins';
import { openAdmission } from '@uprez/domain/jobs/admission';
import { openQueueOrder } from '@uprez/domain/jobs/open-queue-order';
import { makeFairQueue } from '@uprez/domain/make-fair-queue';
import { type Admit, openConnections } from '@uprez/domain/open-connections';
import { watchLimits } from '@uprez/domain/report-limit';
import { makeFirstSettings } from '@uprez/domain/settings/first-settings';
import { openSettings } from '@uprez/domain/settings/open-settings';
import type { FetchNetwork } from '@uprez/domain/uploads/begin-upload';
import { openVault } from '@uprez/domain/vault';
import { openJobFollower } from '@uprez/domain/waiting/follow-jobs';
import { openCounterStore } from '@uprez/queue/open-counter-store';
import { openJobSubscriber } from '@uprez/queue/open-job-channel';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { probeJail } from '@uprez/runtime/jail';
import type { Logger } from '@uprez/runtime/open-logger';
import { type Metrics, openServiceMetrics, registerLimitMetrics } from '@uprez/runtime/open-metrics';
import { listensOnLoopback } from '@uprez/runtime/parse-settings';
import { systemResources, withTimeout } from '@uprez/runtime/run-checks';
import type { Config } from './config.ts';
import { openDownloadTurns } from './features/files/send-object.ts';
import { openInspector } from './features/uploads/open-inspector.ts';
import { openBodyBudgets } from './http/bodies/body-budgets.ts';
import { makeStreamSlots } from './http/connections.ts';
import { openReadTurns } from './http/read-turns.ts';
import { currentCaller, isUnproven } from './http/request-callers.ts';
import { openAccountCheck, openBilling } from './open-billing.ts';
import { openFreeWork } from './open-free-work.ts';

/** Opens the connections of the gateway. They connect on first use, so services can start in any order. */
export function openDeps(config: Config, logger: Logger) {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'a connection failed');
  const connections = openConnections(config, onError, shareDatabase(config.DATABASE_POOL));
  const { db, redis, storage } = connections;
  const metrics = openServiceMetrics(connections);
  const stopCounting = watchLimits(registerLimitMetrics(metrics));
  const jail = probeJail(config.JAIL);
  const vault = openVault(...config.VAULT_SECRET);
  const { subscriber, registry, counters } = openRedisClients(redis);
  const inspector = openInspector({ jail, logger, storage, metrics, rateLimitScale: config.RATE_LIMIT_SCALE });
  const queueOrder = openQueueOrder({ db });
  const accountCheck = openAccountCheck({ db, log: logger, config });
  const billing = openBilling(config);
  const accessLog = openAccessLog({ db, log: logger, onLost: makeLossCounter(metrics) });
  return {
    ...connections,
    config,
    log: logger,
    metrics,
    vault,
    ...openRecentReads(db),
    settings: openSettings({ db, vault, first: makeFirstSettings(config) }),
    subscriber,
    registry,
    counters,
    accessLog,
    inspector,
    accountCheck,
    billing,
    ...openShares(config, metrics),
    queueOrder,
    ...openLoadLimits({ db, counters, config, log: logger, metrics }),
    jobFollower: openJobFollower({ db, subscriber, queueOrder, log: logger }),
    /** Emits `item` when a batch has images to fetch. */
    toFetch: new EventEmitter<{ item: [] }>(),
    network: (listensOnLoopback(config) ? { sandboxLoopback: true } : undefined) as FetchNetwork | undefined,
    jail,
    resources: systemResources,
    close: async () => {
      stopCounting();
      await inspector.close();
      await Promise.all([accessLog, subscriber, registry, counters, accountCheck, billing].map((one) => one.close()));
      await connections.close();
    },
  };
}

/** Opens caches for data that requests need. Each cache reloads from the database at most every second or two. */
const openRecentReads = (db: Parameters<typeof makeTermsCache>[0]['db']) => ({
  terms: makeTermsCache({ db }),
  keyOrigins: openKeyOrigins({ db }),
});

const openShares = (config: Config, metrics: Metrics) => ({
  downloadTurns: openDownloadTurns(),
  readTurns: openReadTurns(),
  takeStreamSlot: makeStreamSlots(),
  bodies: openBodyBudgets(config, metrics),
});

const openRedisClients = (redis: Parameters<typeof openJobSubscriber>[0]) => ({
  subscriber: openJobSubscriber(redis),
  registry: openWorkerRegistry(redis),
  counters: openCounterStore(redis),
});

type LoadNeeds = Omit<Parameters<typeof openFreeWork>[0], 'rateFallbacks'> &
  Parameters<typeof openAdmission>[0] & { config: Config; metrics: Metrics };

/**
 * Opens the limits that protect the queue: on waiting time and on free work. Also opens the counter for requests that
 * Redis couldn't count.
 */
function openLoadLimits({ db, counters, config, log, metrics }: LoadNeeds) {
  const rateFallbacks = makeFallbackCounter(metrics);
  return {
    rateFallbacks,
    admission: openAdmission({ db }, { freeS: config.MAX_WAIT_FREE_S, paidS: config.MAX_WAIT_PAID_S }),
    freeWork: openFreeWork({ counters, config, log, rateFallbacks }),
  };
}

const makeFallbackCounter = (metrics: Metrics) =>
  metrics.counter({
    name: 'rate_limit_fallbacks_total',
    help: 'Requests counted in memory because Redis was unavailable, by rate limit class.',
    labels: ['class'],
  });

function makeLossCounter(metrics: Metrics): () => void {
  const lost = metrics.counter({
    name: 'access_events_lost_total',
    help: 'Events of the access log that were lost because the buffer was full or writing failed.',
    labels: [],
    initial: [{}],
  });
  return () => lost.add({});
}

export type Deps = ReturnType<typeof openDeps>;

const halfLifeMs = 10_000;
/** Same as the pool's own timeout. */
const waitMs = 5_000;
/** Same message as in the pool's own timeout error. `isDatabaseUnavailable` recognizes both errors by it. */
const timeoutMessage = 'timeout exceeded when trying to connect';

/**
 * Shares a pool's connections fairly: the next one goes to the caller that recently used the least time. The pool
 * itself serves queries in order, so one caller that sends many requests at once would delay everyone. Callers that are
 * known only by their IP prefix share part of the connections, because an attacker can create any number of such
 * callers for free.
 */
function shareDatabase(poolSize: number): Admit {
  const shareOf = (percent: number) => Math.max(1, Math.floor((poolSize * percent) / 100));
  const group = {
    includes: isUnproven,
    slots: shareOf(limits.unprovenConnectionsPercent),
    slotsEach: shareOf(limits.prefixConnectionsPercent),
  };
  const queue = makeFairQueue({ slots: poolSize, group, halfLifeMs });
  return async () => {
    const entering = queue.enter(currentCaller());
    return withTimeout(waitMs, entering, () => new Error(timeoutMessage)).catch((error: unknown) => {
      void entering.then((leave) => leave());
      throw error;
    });
  };
}
