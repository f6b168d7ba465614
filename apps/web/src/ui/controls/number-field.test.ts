import { expect, it } from 'vitest';
import { nearestNumber, parseNumber } from './number-field.tsx';

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

it.each([
  ['0', 1],
  ['-5', 1],
  ['999', 100],
  ['42.4', 42],
  ['', undefined],
  ['x', undefined],
])('corrects %j to %s', (text, number) => {
  expect(nearestNumber(text, quality)).toBe(number);
});

it('counts steps from the minimum', () => {
  expect(parseNumber('1.5', { min: 1, max: 8, step: 0.5 })).toBe(1.5);
  expect(nearestNumber('1.7', { min: 1, max: 8, step: 0.5 })).toBe(1.5);
});
