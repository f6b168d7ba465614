import * as z from 'zod';

const sampleSchema = z.object({ labels: z.record(z.string(), z.string()), value: z.number() });
export type MeasuredSample = z.infer<typeof sampleSchema>;

/** What a dispatcher measured for the metrics of all. `at`: Unix time in seconds. `samples`: by the name of the metric. */
export const measurementSchema = z.object({
  at: z.number(),
  seconds: z.number(),
  samples: z.record(z.string(), z.array(sampleSchema)),
});
export type StoredMeasurement = z.infer<typeof measurementSchema>;
