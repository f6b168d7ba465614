import type { Readiness } from '@uprez/contracts/schemas/health';
import { ping } from '@uprez/db/queries/instance/instance';
import { readTelemetry } from '@uprez/domain/telemetry/telemetry';
import type { Logger } from '@uprez/runtime/open-logger';
import { openOperatorServer } from '@uprez/runtime/open-operator-server';
import { repeat } from '@uprez/runtime/repeat';
import { makeResourceChecks, runChecks } from '@uprez/runtime/run-checks';
import { watchTelemetry } from '@uprez/runtime/watch-telemetry';
import type { Config } from './config.ts';
import { openResultSender } from './deliveries/open-result-sender.ts';
import { openWebhookSender } from './deliveries/open-webhook-sender.ts';
import { type Deps, openDeps } from './deps.ts';
import { makeScheduledTasks, makeSharedTasks } from './make-scheduled-tasks.ts';
import { registerMeasurements } from './measurements/measurements.ts';
import { openStripeSync, openStripeTasks } from './open-stripe-sync.ts';
import { openTaskScheduler, type ScheduledTask } from './open-task-scheduler.ts';
import {
  openTaskMetrics,
  openWebhookMetrics,
  registerBillingMetrics,
  registerQueueMetrics,
} from './register-metrics.ts';

/** Starts the dispatcher: webhook deliveries and scheduled tasks. Any number of dispatchers share the work. */
export async function startDispatcher(config: Config, logger: Logger, deps: Deps = openDeps(config, logger)) {
  const pollMs = Math.min(0.5, config.SWEEP_S) * 1_000;
  const onItems = openTaskMetrics(deps);
  const stripe = await openStripeTasks(deps);
  const running = [
    openWebhookSender(deps, pollMs, openWebhookMetrics(deps)),
    openResultSender(deps, pollMs),
    await openStripeSync(deps, pollMs),
    openTaskScheduler(deps, { tasks: [...makeScheduledTasks(deps), ...stripe.tasks], pollMs, onItems }),
    watchTelemetry(config, logger, () => readTelemetry(deps)),
    ...makeSharedTasks(deps).map((task) => repeatTask(logger, task)),
  ];
  registerQueueMetrics(deps);
  registerMeasurements(deps);
  if (config.payments) registerBillingMetrics(deps);
  const operator = await openOperatorServer(config, {
    readiness: () => readReadiness(deps),
    metrics: deps.metrics,
  });
  logger.info({ port: operator.port }, 'operator endpoints are up');
  return {
    close: async () => {
      await Promise.all(running.map((one) => one.close()));
      stripe.close();
      await operator.close();
      await deps.close();
    },
  };
}

const repeatTask = (logger: Logger, { name, everyS, run }: ScheduledTask) =>
  repeat(
    everyS * 1_000,
    async () => {
      const count = await run();
      if (typeof count === 'number' && count > 0) logger.info({ task: name, count }, 'scheduled task completed');
    },
    (error) => logger.warn({ err: error, task: name }, 'scheduled task failed'),
  );

async function readReadiness(deps: Deps): Promise<Readiness> {
  const checks = await runChecks({
    database: () => ping(deps.db),
    storage: async () => deps.storage.check(await deps.storageId()),
    redis: () => deps.queue.ping(),
    redisSettings: () => deps.queue.checkSettings(),
    ...makeResourceChecks(deps.config.storage.kind === 'disk' ? [deps.config.DATA_DIR] : []),
  });
  const { redis: _, ...required } = checks;
  return { ready: Object.values(required).every((state) => state === 'ok'), checks };
}
