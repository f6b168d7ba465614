import type { LogLevel, TelemetryChange } from '@uprez/contracts/schemas/telemetry';
import { setTraceRatio } from '@uprez/tracing/spans';
import type { Logger } from './open-logger.ts';
import { repeat } from './repeat.ts';

export type TelemetryConfig = { LOG_LEVEL: LogLevel; OTEL_TRACES_SAMPLER_ARG: number };

const watchMs = 2_000;

/**
 * Applies the log level and the sampling ratio that an operator has set for all services, and those of the settings once
 * `read` returns neither.
 */
export function watchTelemetry(
  config: TelemetryConfig,
  logger: Logger,
  read: () => Promise<TelemetryChange>,
): { close: () => Promise<void> } {
  let ratio = config.OTEL_TRACES_SAMPLER_ARG;
  const apply = async () => {
    const change = await read();
    const level = change.logLevel ?? config.LOG_LEVEL;
    const next = change.traceRatio ?? config.OTEL_TRACES_SAMPLER_ARG;
    if (level === logger.level && next === ratio) return;
    logger.level = level;
    ratio = next;
    setTraceRatio(ratio);
    logger.info({ level, traceRatio: ratio }, 'telemetry changed');
  };
  return repeat(watchMs, apply, (error) => logger.warn({ err: error }, 'reading telemetry settings failed'));
}
