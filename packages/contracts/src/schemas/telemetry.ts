import * as z from 'zod';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Temporary log level and trace ratio of all services, which override their settings. */
export const telemetrySchema = z.object({
  logLevel: z.enum(logLevels).optional(),
  /** The share of requests that are traced. */
  traceRatio: z.number().min(0).max(1).optional(),
});
export type TelemetryChange = z.output<typeof telemetrySchema>;

/** `until`: time at which the services return to their settings. */
export const storedTelemetrySchema = telemetrySchema.extend({ until: z.iso.datetime() });
