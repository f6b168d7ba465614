/**
 * Number of buckets per doubling of the time in exponential histograms. Unlike percentiles, the histograms of several
 * days can be added up.
 *
 * Bucket `b` counts the values from `2^(b / 8)` up to `2^((b + 1) / 8)` milliseconds, which is scale 3 of the
 * exponential histograms of OpenTelemetry (opentelemetry.io/docs/specs/otel/metrics/data-model, "Exponential Scale").
 */
export const bucketsPerOctave = 8;

/** A bucket of a histogram: the number of values in it, and the range of these values in milliseconds. */
export type Bucket = { count: number; lowestMs: number; highestMs: number };

/** Merges overlapping buckets, such as those of two engines, and sorts them from shortest to longest. */
function mergeBuckets(buckets: readonly Bucket[]): Bucket[] {
  const merged: Bucket[] = [];
  for (const bucket of buckets.toSorted((a, b) => a.lowestMs - b.lowestMs)) {
    const last = merged.at(-1);
    if (!last || bucket.lowestMs >= last.highestMs) merged.push({ ...bucket });
    else {
      last.count += bucket.count;
      last.highestMs = Math.max(last.highestMs, bucket.highestMs);
    }
  }
  return merged;
}

/**
 * Returns the time in milliseconds that a share of the values (0 to 1) doesn't exceed, or null if there are no values.
 * Assumes that the values of a bucket are spread evenly from its shortest to its longest value. A bucket is 9.05% wide,
 * which bounds the error.
 */
export function percentileOf(buckets: readonly Bucket[], share: number): number | null {
  const filled = mergeBuckets(buckets.filter(({ count }) => count > 0));
  let rank = Math.max(1, Math.ceil(share * filled.reduce((sum, { count }) => sum + count, 0)));
  for (const { count, lowestMs, highestMs } of filled) {
    if (rank <= count) return count === 1 ? lowestMs : lowestMs + ((highestMs - lowestMs) * (rank - 1)) / (count - 1);
    rank -= count;
  }
  return null;
}
