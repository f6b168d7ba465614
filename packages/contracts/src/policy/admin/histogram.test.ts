import { describe, expect, it } from 'vitest';
import { type Bucket, bucketsPerOctave, percentileOf } from './histogram.ts';

/** The bucket of a time, as the database computes it. */
const bucketOf = (ms: number) => Math.floor(bucketsPerOctave * Math.log2(Math.max(1, ms)));

function countBuckets(values: readonly number[]): Bucket[] {
  const buckets = new Map<number, Bucket>();
  for (const value of values) {
    const known = buckets.get(bucketOf(value)) ?? { count: 0, lowestMs: value, highestMs: value };
    buckets.set(bucketOf(value), {
      count: known.count + 1,
      lowestMs: Math.min(known.lowestMs, value),
      highestMs: Math.max(known.highestMs, value),
    });
  }
  return [...buckets.values()];
}
/** The value at a share of the sorted values. */
const exact = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;

const count = 20_000;
/** Evenly spread over 0 to 1, without both. */
const shares = Array.from({ length: count }, (_, at) => (at + 0.5) / count);
/** The inverse of the logistic distribution, close to a normal one. */
const logOdds = (share: number) => Math.log(share / (1 - share));

describe('percentiles of a histogram', () => {
  it.each([
    ['uniform', shares.map((share) => 200 + 9_800 * share)],
    ['exponential', shares.map((share) => -3_000 * Math.log(1 - share))],
    ['log-logistic, short', shares.map((share) => 40 * Math.exp(0.4 * logOdds(share)))],
    ['log-logistic, long', shares.map((share) => 90_000 * Math.exp(0.7 * logOdds(share)))],
  ])('are within a hundredth of the exact ones of a distribution that is %s', (_name, values) => {
    for (const share of [0.5, 0.95]) {
      const wanted = exact(values, share);
      expect(Math.abs((percentileOf(countBuckets(values), share) ?? 0) / wanted - 1)).toBeLessThan(0.01);
    }
  });

  it('are exact for equal values, and for few values', () => {
    for (const value of [1, 3, 250, 123_456])
      expect(percentileOf(countBuckets(Array(9).fill(value)), 0.95)).toBeCloseTo(value, 6);
    const few = [180, 400, 404, 950, 2_000, 2_100, 30_000];
    for (const share of [0.05, 0.5, 0.95, 1]) expect(percentileOf(countBuckets(few), share)).toBe(exact(few, share));
  });

  it('are exact for two groups of equal values in one bucket', () => {
    const engines = [2_000, 2_100].flatMap((value) => countBuckets(Array(5).fill(value)));
    expect([0.5, 0.95].map((share) => percentileOf(engines, share))).toEqual([2_000, 2_100]);
  });

  it('are those of all values after histograms were added up', () => {
    const [first, second] = [shares.map((share) => 100 + share), shares.map((share) => 5_000 + 900 * share)];
    const parts = [...countBuckets(first), ...countBuckets(second)];
    expect(percentileOf(parts, 0.95)).toBe(percentileOf(countBuckets([...first, ...second]), 0.95));
  });

  it('are null without values', () => {
    expect(percentileOf([], 0.5)).toBeNull();
    expect(percentileOf([{ count: 0, lowestMs: 0, highestMs: 0 }], 0.5)).toBeNull();
  });
});
