/**
 * Histograms of times with exponential buckets. Unlike percentiles, they can be added up over days.
 *
 * Bucket `b` counts the values from `2^(b / 8)` up to `2^((b + 1) / 8)` milliseconds, which is scale 3 of the exponential
 * histograms of OpenTelemetry (opentelemetry.io/docs/specs/otel/metrics/data-model, "Exponential Scale").
 */
export const bucketsPerOctave = 8;

/** How many values a bucket has, and the shortest and longest of them in milliseconds. */
export type Bucket = { count: number; lowestMs: number; highestMs: number };

/** Adds up buckets with common values, such as those of two engines. Shortest first. */
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
 * Returns the time in milliseconds that a share of the values (0 to 1) doesn't exceed, or null without values. The values of a
 * bucket are assumed to be spread evenly from its shortest to its longest one. A bucket is 9.05% wide, which bounds the error.
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
