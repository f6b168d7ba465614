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

it('counts down between the steps of the progress', () => {
  const update = createTimeEstimator();
  for (let second = 0; second <= 10; second += 1) update(second / 100, second * 1_000);
  const before = update(0.11, 11_000) ?? 0;
  expect(before).toBeCloseTo(89);
  expect(update(0.11, 16_000)).toBeCloseTo(84);
  expect(update(0.11, 200_000)).toBeGreaterThan(40);
});

it('starts with the plan, and approaches the measured time in steps of at most 5% of a second', () => {
  const update = createTimeEstimator();
  const left = (tiles: number, second: number) => update(tiles / 20, second * 1_000, 100);
  expect(left(0, 0)).toBe(100);
  const seconds = Array.from({ length: 300 }, (_, second) => left(Math.floor(second / 20), second) ?? 0);
  for (const [second, value] of seconds.entries()) {
    const before = seconds[second - 1] ?? 100;
    expect(Math.abs(value - (before - 1))).toBeLessThanOrEqual(Math.max(0.05 * before, 1.5) + 1e-9);
  }
  // 20 s a tile are 400 s in all.
  for (const second of [120, 200, 260]) {
    expect(seconds[second]).toBeGreaterThan(0.8 * (400 - second));
    expect(seconds[second]).toBeLessThan(1.2 * (400 - second));
  }
});

it('starts again when a second attempt begins', () => {
  const update = createTimeEstimator();
  for (let second = 0; second <= 60; second += 1) update(second / 100, second * 1_000, 100);
  expect(update(0, 61_000, 100)).toBe(100);
});
