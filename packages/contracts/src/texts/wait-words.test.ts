import { expect, test } from 'vitest';
import { waitWords } from './wait-words.ts';

test.each([
  [0, 'in 1 second'],
  [4.2, 'in 5 seconds'],
  [60, 'in 1 minute'],
  [855, 'in 15 minutes'],
  [3_600, 'in 1 hour'],
  [3_601, 'in 2 hours'],
])('%d seconds are told as "%s"', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words);
});
