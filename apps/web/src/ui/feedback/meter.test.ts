import { expect, it } from 'vitest';
import { toMeterLevel } from './meter.tsx';

it.each([
  [0, 100, 'normal'],
  [79, 100, 'normal'],
  [80, 100, 'high'],
  [99, 100, 'high'],
  [100, 100, 'full'],
  [120, 100, 'full'],
  [0, 0, 'full'],
])('%i of %i is %s', (value, max, level) => {
  expect(toMeterLevel(value, max)).toBe(level);
});
