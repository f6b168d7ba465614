import * as z from 'zod';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What all services log and trace for a while, instead of their settings. */
export const telemetrySchema = z.object({
  logLevel: z.enum(logLevels).optional(),
  /** The share of requests that are traced. */
  traceRatio: z.number().min(0).max(1).optional(),
});
export type TelemetryChange = z.output<typeof telemetrySchema>;

/** `until`: when the settings apply again. */
export const storedTelemetrySchema = telemetrySchema.extend({ until: z.iso.datetime() });
