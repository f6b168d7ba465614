import { expect, it } from 'vitest';
import { describeFidelity, fidelityLevels } from './results.ts';

it.each([
  [100, 0],
  [98, 0],
  [97.9, 1],
  [90, 1],
  [89.9, 2],
  [75, 2],
  [74.9, 3],
  [0, 3],
] as const)('says what a fidelity of %d means', (score, level) => {
  expect(describeFidelity(score)).toBe(fidelityLevels[level].meaning);
});
