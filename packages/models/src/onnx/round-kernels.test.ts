import { expect, it } from 'vitest';
import { roundKernels } from './quantize-blocks.ts';

/** Weights that are no multiples of a step of 1. */
const weights = Float64Array.from({ length: 4 * 9 * 9 }, (_, i) => 40 * Math.sin(i * 1.7 + i ** 1.3));

it('preserves the sums of kernels better than plain rounding', () => {
  const rounded = roundKernels(weights, 81, Float64Array.of(1, 1, 1, 1));
  let [lost, plain] = [0, 0];
  for (let start = 0; start < weights.length; start += 9) {
    const sumOf = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);
    const whole = sumOf(weights.subarray(start, start + 9));
    lost += (whole - sumOf(rounded.subarray(start, start + 9))) ** 2;
    plain += (whole - sumOf(weights.subarray(start, start + 9).map(Math.round))) ** 2;
  }
  expect(lost).toBeLessThan(plain / 2);
});

it('uses the scale of each row and stays within 127', () => {
  const rounded = roundKernels(weights, 81, Float64Array.of(1, 0.25, 1, 1));
  expect(Math.max(...rounded)).toBe(127);
  expect(Math.min(...rounded)).toBe(-127);
  const farthest = Math.max(...rounded.subarray(0, 81).map((code, i) => Math.abs(code - (weights[i] as number))));
  expect(farthest).toBeLessThan(2);
});
