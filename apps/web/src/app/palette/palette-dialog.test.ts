import { expect, it } from 'vitest';
import { matchScore } from './palette-dialog.tsx';

it.each([
  ['Account', 'accou', 1],
  ['Choose an image', 'accou', 0],
  ['Choose an image', 'CHOOSE a', 1],
  ['Choose an image', 'imag', 0.5],
  ['Choose an image', 'imag choo', 0.5],
  ['API Keys', 'keys', 0.5],
  ['API Keys', 'keys account', 0],
  ['Dark', '', 1],
])('%s for %j: %d', (label, search, score) => {
  expect(matchScore(label, search)).toBe(score);
});
