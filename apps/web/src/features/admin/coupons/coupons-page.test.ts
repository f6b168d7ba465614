import { expect, it } from 'vitest';
import { formatMonth } from '../../../lib/format/format.ts';
import { lastDayOf } from './coupons-page.tsx';

it('names the day that was chosen, not the moment after it', () => {
  expect(lastDayOf('2027-01-01T00:00:00.000Z')).toBe('Dec 31, 2026');
  expect(lastDayOf('2026-12-31T23:59:59.999Z')).toBe('Dec 31, 2026');
});

it('names months in words', () => {
  expect(formatMonth('2026-11-01')).toBe('November 2026');
});
