import { expect, it } from 'vitest';
import { match } from './match.ts';

it.each([
  ['Account', 'accou', 1],
  ['Choose a picture', 'accou', 0],
  ['Choose a picture', 'CHOOSE a', 1],
  ['Choose a picture', 'pict', 0.5],
  ['Choose a picture', 'pict choo', 0.5],
  ['API Keys', 'keys', 0.5],
  ['API Keys', 'keys account', 0],
  ['Dark', '', 1],
])('%s for %j: %d', (label, search, score) => {
  expect(match(label, search)).toBe(score);
});
