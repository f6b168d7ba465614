import { expect, it } from 'vitest';
import { deltaE, labDifference } from './color-difference.ts';

/** Pairs and results from Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", 2005, table 1. */
const published = [
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
  [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
  [[50, 2.5, 0], [56, -27, -3], 31.903],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
  [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
] as const;

it.each(published)('CIEDE2000 of %j and %j is %d', ([l1, a1, b1], [l2, a2, b2], difference) => {
  const [first, second] = [
    { l: l1, a: a1, b: b1 },
    { l: l2, a: a2, b: b2 },
  ];
  expect(labDifference(first, second)).toBeCloseTo(difference, 4);
  expect(labDifference(second, first)).toBeCloseTo(difference, 4);
});

it('is 100 between black and white, and 0 for equal colors', () => {
  expect(deltaE([0, 0, 0], [1, 1, 1])).toBeCloseTo(100, 1);
  expect(deltaE([0.2, 0.4, 0.6], [0.2, 0.4, 0.6])).toBe(0);
});
