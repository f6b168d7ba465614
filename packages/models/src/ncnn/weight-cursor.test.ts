import { expect, test } from 'vitest';
import { halfToFloat } from './weight-cursor.ts';

test.each([
  [0x0000, 0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 0.333251953125],
  [0x7bff, 65504],
  [0x0400, 2 ** -14],
  [0x03ff, 1023 * 2 ** -24],
  [0x8001, -(2 ** -24)],
  [0xfc00, Number.NEGATIVE_INFINITY],
])('converts the half 0x%s to %s', (bits, value) => {
  expect(halfToFloat(bits)).toBe(value);
});

test('converts a half with all exponent bits and a fraction to NaN', () => {
  expect(halfToFloat(0x7e00)).toBeNaN();
});
