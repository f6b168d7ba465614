import * as z from 'zod';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Log level and trace ratio that temporarily override the settings of all services. */
export const telemetrySchema = z.object({
  logLevel: z.enum(logLevels).optional(),
  /** Proportion of requests that are traced, from 0 to 1. */
  traceRatio: z.number().min(0).max(1).optional(),
});
export type TelemetryChange = z.output<typeof telemetrySchema>;

/** `until`: when the services return to their own settings. */
export const storedTelemetrySchema = telemetrySchema.extend({ until: z.iso.datetime() });

const sampleSchema = z.object({ labels: z.record(z.string(), z.string()), value: z.number() });
export type MeasuredSample = z.infer<typeof sampleSchema>;

/**
 * Values that one dispatcher measured. All dispatchers report them as metrics. `at`: Unix time, in seconds. `seconds`:
 * how long the measurement took. `samples`: samples by metric name.
 */
export const measurementSchema = z.object({
  at: z.number(),
  seconds: z.number(),
  samples: z.record(z.string(), z.array(sampleSchema)),
});
export type StoredMeasurement = z.infer<typeof measurementSchema>;
