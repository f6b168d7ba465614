import { describe, expect, it } from 'vitest';
import { type Bucket, bucketOf, percentileOf } from './histogram.ts';

function countBuckets(values: readonly number[]): Bucket[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
  return [...counts].map(([bucket, count]) => ({ bucket, count }));
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
  ])('are within 1%% of the exact ones of a distribution that is %s', (_name, values) => {
    for (const share of [0.5, 0.95]) {
      const wanted = exact(values, share);
      expect(Math.abs((percentileOf(countBuckets(values), share) ?? 0) / wanted - 1)).toBeLessThan(0.01);
    }
  });

  it('are within the width of a bucket for equal values', () => {
    for (const value of [1, 3, 250, 123_456])
      expect(Math.abs((percentileOf([{ bucket: bucketOf(value), count: 9 }], 0.5) ?? 0) / value - 1)).toBeLessThan(
        2 ** (1 / 8) - 1,
      );
  });

  it('are those of all values after histograms were added up', () => {
    const [first, second] = [shares.map((share) => 100 + share), shares.map((share) => 5_000 + 900 * share)];
    const parts = [...countBuckets(first), ...countBuckets(second)];
    expect(percentileOf(parts, 0.95)).toBeCloseTo(percentileOf(countBuckets([...first, ...second]), 0.95) ?? 0, 6);
  });

  it('are null without values', () => {
    expect(percentileOf([], 0.5)).toBeNull();
    expect(percentileOf([{ bucket: 3, count: 0 }], 0.5)).toBeNull();
  });
});

describe('buckets', () => {
  it('are 8 per octave, and begin at 1 ms', () => {
    expect([0, 0.2, 1, 2, 4, 1_024].map(bucketOf)).toEqual([0, 0, 0, 8, 16, 80]);
  });
});
