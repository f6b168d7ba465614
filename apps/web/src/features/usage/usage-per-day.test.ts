import { expect, it } from 'vitest';
import { firstDay } from './usage-per-day.tsx';

it('includes today as the last day', () => {
  const now = Date.parse('2026-11-07T23:30:00Z');
  expect(firstDay(1, now)).toBe('2026-11-07');
  expect(firstDay(7, now)).toBe('2026-11-01');
  expect(firstDay(30, now)).toBe('2026-10-09');
});
