import { openItemFetcher } from '@uprez/domain/intake/open-item-fetcher';
import { readTelemetry } from '@uprez/domain/telemetry/telemetry';
import type { Logger } from '@uprez/runtime/open-logger';
import { openOperatorServer } from '@uprez/runtime/open-operator-server';
import type { RunningService } from '@uprez/runtime/run-service';
import { watchTelemetry } from '@uprez/runtime/watch-telemetry';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { type Deps, openDeps } from './deps.ts';
import { fetchImage } from './features/uploads/receive-image.ts';
import { readReadiness } from './readiness.ts';

export async function startGateway(
  config: Config,
  logger: Logger,
  deps: Deps = openDeps(config, logger),
): Promise<RunningService & { url: string; operatorUrl: string }> {
  if (deps.jail.kind === 'none') logger.warn('namespaces unavailable, images are inspected without a jail');
  if (deps.jail.missing) logger.warn({ missing: deps.jail.missing }, 'images are inspected in a weaker jail');
  deps.inspector.warmUp();
  const app = await buildApp(deps);
  const fetcher = openItemFetcher({
    ...deps,
    fetchImage: (actor, wanted) => fetchImage(deps, actor, wanted),
  });
  // Waits for the first attempt to connect to Redis, because sign-ins are rejected until a connection exists.
  await deps.counters.tried;
  const url = await app.listen({ port: config.PORT, host: config.HOST });
  // Last, because load balancers send requests as soon as this server reports that the gateway is ready.
  const operator = await openOperatorServer(config, {
    readiness: () => readReadiness(deps),
    metrics: deps.metrics,
  });
  const telemetry = watchTelemetry(config, logger, () => readTelemetry(deps));
  logger.info({ url }, 'listening');
  logger.info({ port: operator.port }, 'operator endpoints are up');
  return {
    url,
    operatorUrl: `http://127.0.0.1:${operator.port}`,
    close: async () => {
      await app.close();
      await Promise.all([fetcher.close(), telemetry.close()]);
      await operator.close();
      await deps.close();
    },
  };
}
