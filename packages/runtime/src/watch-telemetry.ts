import type { TelemetryChange } from '@uprez/contracts/schemas/telemetry';
import { setTraceRatio } from '@uprez/tracing/spans';
import type { Logger } from './open-logger.ts';
import { repeat } from './repeat.ts';

export type TelemetryConfig = { OTEL_TRACES_SAMPLER_ARG: number };

const watchMs = 2_000;

/**
 * Applies the log level and the sampling ratio that an operator has set for all services. Restores the configured
 * values when `read` no longer returns them.
 */
export function watchTelemetry(
  config: TelemetryConfig,
  logger: Logger,
  read: () => Promise<TelemetryChange>,
): { close: () => Promise<void> } {
  const ownLevel = logger.level;
  let ratio = config.OTEL_TRACES_SAMPLER_ARG;
  const apply = async () => {
    const change = await read();
    const level = change.logLevel ?? ownLevel;
    const next = change.traceRatio ?? config.OTEL_TRACES_SAMPLER_ARG;
    if (level === logger.level && next === ratio) return;
    ratio = next;
    setTraceRatio(ratio);
    // Logs the change before or after it takes effect, depending on which log level includes `info`.
    const isLogged = logger.isLevelEnabled('info');
    const report = () => logger.info({ level, traceRatio: ratio }, 'telemetry changed');
    if (isLogged) report();
    logger.level = level;
    if (!isLogged) report();
  };
  return repeat(watchMs, apply, (error) => logger.warn({ err: error }, 'reading telemetry settings failed'));
}
