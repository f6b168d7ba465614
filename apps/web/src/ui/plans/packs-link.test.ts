import { expect, it } from 'vitest';
import { hasPackFor } from './packs-link.tsx';

it('finds packs for a meter: its own, shared ones, and all for a shared quota', () => {
  expect(hasPackFor([], 'ai')).toBe(false);
  expect(hasPackFor([{ meter: 'standard' }], 'ai')).toBe(false);
  expect(hasPackFor([{ meter: 'standard' }, { meter: 'ai' }], 'ai')).toBe(true);
  expect(hasPackFor([{ meter: 'shared' }], 'standard')).toBe(true);
  expect(hasPackFor([{ meter: 'ai' }], 'shared')).toBe(true);
});
