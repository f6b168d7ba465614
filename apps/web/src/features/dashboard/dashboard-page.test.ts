import { expect, it } from 'vitest';
import { firstDayOf } from './activity-tab.tsx';
import { statText, trendText } from './dashboard-page.tsx';

it('formats counts and durations, and returns a hyphen for unknown values', () => {
  expect(statText('imagesProcessed', 12_345)).toBe('12,345');
  expect(statText('avgProcessingTime', 4_130)).toBe('4.1 s');
  expect(statText('avgProcessingTime', 130_000)).toBe('2 min 10 s');
  expect(statText('avgProcessingTime', null)).toBe('-');
});

it('describes a change with both values', () => {
  const { short, long } = trendText('imagesProcessed', { current: 37, previous: 33, change: 12.1 });
  expect(short).toBe('+12.1% from 33');
  expect(long).toBe('37 this month, 33 in the previous period');
  expect(trendText('avgProcessingTime', { current: 3_000, previous: 4_000, change: -25 }).short).toBe('-25% from 4 s');
  expect(trendText('apiCalls', { current: 5, previous: 5, change: 0 }).short).toBe('0% from 5');
});

it('includes today as the last day', () => {
  const now = Date.parse('2026-11-07T23:30:00Z');
  expect(firstDayOf(1, now)).toBe('2026-11-07');
  expect(firstDayOf(7, now)).toBe('2026-11-01');
  expect(firstDayOf(30, now)).toBe('2026-10-09');
});
