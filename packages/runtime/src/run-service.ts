import { openTracing } from '@uprez/tracing/open-tracing';
import { type Logger, openLogger } from './open-logger.ts';
import type { TelemetryConfig } from './watch-telemetry.ts';

/** `close`: finishes the work in progress and closes everything. Called only once. */
export type RunningService = { close: () => Promise<void> };

/** Maximum time for closing. A service that needs longer exits with 1. */
export const hardLimitMs = 28_000;

type ServiceConfig = TelemetryConfig & { LOG_LEVEL: string; OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined };

/** Runs a service until SIGTERM or SIGINT. Exits with 1 when the start fails, or when closing takes over 28 s. */
export async function runService<Config extends ServiceConfig>(
  name: string,
  readConfig: () => Config,
  start: (config: Config, logger: Logger) => Promise<RunningService>,
): Promise<void> {
  const config = exitOnError(readConfig);
  const logger = openLogger({ service: name, level: config.LOG_LEVEL });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'a promise was rejected and nobody handled it');
    process.exit(1);
  });
  const tracing = await openTracing({
    service: name,
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    onError: (reason) => logger.warn({ reason }, 'sending traces failed'),
  });
  const service = await start(config, logger).catch((error: unknown) => {
    logger.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  });
  let closing = false;
  const stop = (signal: string) => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('closing took too long');
      process.exit(1);
    }, hardLimitMs).unref();
    const close = () => service.close().finally(tracing.close);
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

/**
 * Returns the result of `read`. If `read` throws, prints the error message without the stack and exits with 1. Use it
 * for configuration errors.
 */
export function exitOnError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return exitWith(error);
  }
}

/** Prints the messages of an error and its causes, and exits with 1. */
export function exitWith(error: unknown): never {
  for (let cause = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
    console.error(cause instanceof Error ? cause.message : String(cause));
  }
  process.exit(1);
}
