import { expect, it } from 'vitest';
import { createTimeEstimator } from './time-estimator.ts';

/** Estimates after each second of steady progress that takes `seconds`. */
const steady = (seconds: number, until: number) => {
  const update = createTimeEstimator();
  return Array.from({ length: until + 1 }, (_, second) => update(second / seconds, second * 1_000));
};

it('returns undefined during the first three seconds', () => {
  expect(steady(100, 2)).toEqual([undefined, undefined, undefined]);
});

it('returns the remaining seconds at a steady pace', () => {
  expect(steady(100, 10).at(-1)).toBeCloseTo(90);
  expect(steady(20, 20).at(-1)).toBe(0);
});

it('returns undefined without progress', () => {
  const update = createTimeEstimator();
  expect([0, 2_000, 9_000].map((now) => update(0, now))).toEqual([undefined, undefined, undefined]);
});

it('changes little when one step is slow', () => {
  const update = createTimeEstimator();
  for (let second = 0; second <= 10; second += 1) update(second / 100, second * 1_000);
  const before = update(0.11, 11_000) ?? 0;
  const after = update(0.11, 12_000) ?? 0;
  expect(before).toBeCloseTo(89);
  expect(after).toBeGreaterThan(before);
  expect(after).toBeLessThan(before * 1.25);
});
