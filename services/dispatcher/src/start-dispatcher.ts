import type { Readiness } from '@uprez/contracts/schemas/health';
import { withAdvisoryLock } from '@uprez/db/queries/instance/advisory-lock';
import { ping } from '@uprez/db/queries/instance/instance';
import type { Logger } from '@uprez/runtime/open-logger';
import { openOperatorServer } from '@uprez/runtime/open-operator-server';
import { repeat } from '@uprez/runtime/repeat';
import { runChecks } from '@uprez/runtime/run-checks';
import type { RunningService } from '@uprez/runtime/run-service';
import type { Config } from './config.ts';
import { type Deps, openDeps } from './deps.ts';
import { openWebhookSender } from './open-webhook-sender.ts';
import { type Sweep, sweeps } from './sweeps.ts';

/** Start the dispatcher: webhooks, and every sweep on its own clock, each under a lock, so that replicas share the work. */
export async function startDispatcher(
  config: Config,
  logger: Logger,
  deps: Deps = openDeps(config, logger),
): Promise<RunningService> {
  const running = sweeps.map((sweep) =>
    repeat(
      sweep.everyS(config.SWEEP_S) * 1_000,
      () => runSweep(deps, sweep),
      (error) => logger.warn({ err: error, sweep: sweep.name }, 'a sweep failed and will be repeated'),
    ),
  );
  const webhooks = openWebhookSender(deps, Math.min(0.5, config.SWEEP_S) * 1_000);
  const operator = await openOperatorServer(config.METRICS_PORT, () => readReadiness(deps));
  logger.info({ port: operator.port }, 'operator endpoints are up');
  return {
    close: async () => {
      await Promise.all([webhooks, ...running].map((one) => one.close()));
      await operator.close();
      await deps.close();
    },
  };
}

async function runSweep(deps: Deps, sweep: Sweep): Promise<void> {
  await withAdvisoryLock(deps.db, { name: `sweep:${sweep.name}` }, async () => {
    const count = await sweep.run(deps);
    if (typeof count === 'number' && count > 0) deps.log.info({ sweep: sweep.name, count }, 'swept');
  });
}

async function readReadiness(deps: Deps): Promise<Readiness> {
  const checks = await runChecks({
    database: () => ping(deps.db),
    storage: async () => deps.storage.check(await deps.storageId()),
    redis: () => deps.queue.ping(),
  });
  return { ready: checks.database === 'ok' && checks.storage === 'ok', checks };
}
