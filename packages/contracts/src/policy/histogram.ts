/**
 * Histograms of times with exponential buckets. Unlike percentiles, they can be added up over days.
 *
 * Bucket `b` counts the values from `2^(b / 8)` up to `2^((b + 1) / 8)` milliseconds, which is scale 3 of the exponential
 * histograms of OpenTelemetry (opentelemetry.io/docs/specs/otel/metrics/data-model, "Exponential Scale").
 */
export const bucketsPerOctave = 8;

export type Bucket = { bucket: number; count: number };

/** Returns the bucket of a time in milliseconds. Times below 1 ms are in the first one. */
export const bucketOf = (ms: number): number => Math.floor(bucketsPerOctave * Math.log2(Math.max(1, ms)));

/**
 * Returns the time in milliseconds that a share of the values (0 to 1) doesn't exceed, or null without values. Values are
 * assumed to be spread evenly over the logarithms of their bucket. A bucket is 9.05% wide, which bounds the error.
 */
export function percentileOf(buckets: readonly Bucket[], share: number): number | null {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let rest = share * total;
  for (const { bucket, count } of buckets.toSorted((a, b) => a.bucket - b.bucket)) {
    if (count > 0 && rest <= count) return 2 ** ((bucket + rest / count) / bucketsPerOctave);
    rest -= count;
  }
  return null;
}
