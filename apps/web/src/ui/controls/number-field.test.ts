import { expect, it } from 'vitest';
import { describeRange, parseNumber } from './number-field.tsx';

const quality = { min: 1, max: 100 };

it.each([
  ['1', 1],
  ['100', 100],
  [' 95 ', 95],
  ['0', undefined],
  ['101', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['x', undefined],
])('parses %j as %s', (text, number) => {
  expect(parseNumber(text, quality)).toBe(number);
});

it('counts steps from the minimum', () => {
  expect(parseNumber('1.5', { min: 1, max: 8, step: 0.5 })).toBe(1.5);
  expect(parseNumber('1.7', { min: 1, max: 8, step: 0.5 })).toBeUndefined();
});

it('describes what a field accepts', () => {
  expect(describeRange({ min: 1, max: 262_144 })).toBe('Enter a whole number from 1 to 262,144.');
  expect(describeRange({ min: 0.01, max: 512, step: 0.01 })).toBe(
    'Enter a number from 0.01 to 512, with at most 2 decimals.',
  );
});
