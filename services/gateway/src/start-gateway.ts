import type { Logger } from '@uprez/runtime/open-logger';
import { openOperatorServer } from '@uprez/runtime/open-operator-server';
import type { RunningService } from '@uprez/runtime/run-service';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { type Deps, openDeps } from './deps.ts';
import { openItemFetcher } from './features/batches/open-item-fetcher.ts';
import { readReadiness } from './readiness.ts';

/** Start the gateway: open its dependencies (unless given), listen, answer. */
export async function startGateway(
  config: Config,
  logger: Logger,
  deps: Deps = openDeps(config, logger),
): Promise<RunningService & { url: string; operatorUrl: string }> {
  if (deps.jail.kind === 'none') logger.warn('this machine refuses namespaces: images are inspected without a jail');
  const app = await buildApp(deps);
  const fetcher = openItemFetcher(deps);
  // Else the first sign-ins after a start would be refused as long as Redis is not reached.
  await deps.counters.tried;
  const url = await app.listen({ port: config.PORT, host: config.HOST });
  // Only now: who reads there that we are ready sends images at once.
  const operator = await openOperatorServer(config.METRICS_PORT, {
    readiness: () => readReadiness(deps),
    metrics: deps.metrics,
  });
  logger.info({ url }, 'listening');
  logger.info({ port: operator.port }, 'operator endpoints are up');
  return {
    url,
    operatorUrl: `http://127.0.0.1:${operator.port}`,
    close: async () => {
      await app.close();
      await fetcher.close();
      await operator.close();
      await deps.close();
    },
  };
}
