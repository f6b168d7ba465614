import * as z from 'zod';

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
