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

const sampleSchema = z.object({ labels: z.record(z.string(), z.string()), value: z.number() });
export type MeasuredSample = z.infer<typeof sampleSchema>;

/**
 * Values that one dispatcher measured for the metrics of all dispatchers. `at`: Unix time in seconds. `seconds`:
 * duration of the measurement. `samples`: samples by metric name.
 */
export const measurementSchema = z.object({
  at: z.number(),
  seconds: z.number(),
  samples: z.record(z.string(), z.array(sampleSchema)),
});
export type StoredMeasurement = z.infer<typeof measurementSchema>;
