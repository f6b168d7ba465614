import { expect, it } from 'vitest';
import { parseCents } from './parse-cents.ts';

it.each([
  ['7', 700],
  ['$7.50', 750],
  [' 0.05 ', 5],
  ['1,200.5', 120_050],
  ['19.99', 1_999],
])('parses %s', (typed, cents) => {
  expect(parseCents(typed)).toBe(cents);
});

it.each(['', 'x', '-1', '7.505', '7,5', '1e3', '7.', '.5', '1,20'])('rejects %j', (typed) => {
  expect(parseCents(typed)).toBeUndefined();
});
