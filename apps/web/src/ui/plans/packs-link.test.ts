import { expect, it } from 'vitest';
import { hasPackForMeter } from './packs-link.tsx';

it('finds packs for a meter: its own, shared ones, and all for a shared quota', () => {
  expect(hasPackForMeter([], 'ai')).toBe(false);
  expect(hasPackForMeter([{ meter: 'standard' }], 'ai')).toBe(false);
  expect(hasPackForMeter([{ meter: 'standard' }, { meter: 'ai' }], 'ai')).toBe(true);
  expect(hasPackForMeter([{ meter: 'shared' }], 'standard')).toBe(true);
  expect(hasPackForMeter([{ meter: 'ai' }], 'shared')).toBe(true);
});
