import { describe, expect, it } from 'vitest';
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatEstimate,
  formatShortDay,
  formatShortTime,
  formatSize,
  formatSizeChange,
  formatTimeLeft,
  formatTotalEstimate,
} from './format.ts';

it('formatSize groups thousands', () => {
  expect(formatSize({ width: 1024, height: 768 })).toBe('1,024 x 768');
});

it('formatDate returns MMM d, yyyy', () => {
  expect(formatDate(new Date(2026, 10, 5, 12))).toBe('Nov 5, 2026');
});

it('formatShortDay returns the same day in every time zone', () => {
  expect(formatShortDay('2026-11-05')).toBe('Nov 5');
});

it('formatDateTime adds the time of day and the time zone', () => {
  expect(formatDateTime(new Date(2026, 10, 5, 12, 30))).toMatch(
    /^Nov 5, 2026, 12:30\sPM (?:[A-Z]{2,5}|GMT[+-][\d:]+)$/,
  );
});

it.each([
  [0, '0 s'],
  [8.2, '9 ms'],
  [40, '40 ms'],
  [260, '0.3 s'],
  [4_130, '4.1 s'],
  [59_900, '59.9 s'],
  [59_960, '1 min'],
  [60_400, '1 min'],
  [120_000, '2 min'],
  [130_400, '2 min 10 s'],
])('formatDuration(%d) -> %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it.each([
  [0.2, 'about 1 s'],
  [4.4, 'about 4 s'],
  [22, 'about 20 s'],
  [100, 'about 2 min'],
])('formatEstimate(%d) -> %s', (seconds, text) => expect(formatEstimate(seconds)).toBe(text));

it('formatTotalEstimate includes the wait in the queue, if there is one', () => {
  expect(formatTotalEstimate({ seconds: 20, waitSeconds: null })).toBe('about 20 s');
  expect(formatTotalEstimate({ seconds: 20, waitSeconds: 0.4 })).toBe('about 20 s');
  expect(formatTotalEstimate({ seconds: 20, waitSeconds: 5 })).toBe('about 25 s, including about 5 s in the queue');
  expect(formatTotalEstimate({ seconds: 20, minSeconds: 18 })).toBe('about 20 s');
  expect(formatTotalEstimate({ seconds: 20, minSeconds: 8, waitSeconds: 5 })).toBe(
    'up to 25 s, including about 5 s in the queue',
  );
});

describe('formatTimeLeft', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['2026-01-01T23:59:00Z', '24 h'],
    ['2026-01-01T00:58:30Z', '59 min'],
    ['2026-01-01T00:59:30Z', '1 h'],
    ['2026-01-01T01:20:00Z', '1 h'],
    ['2026-01-01T00:00:30Z', 'less than a minute'],
  ])('%s -> %s', (until, text) => expect(formatTimeLeft(until, now)).toBe(text));
  it('returns undefined when the time has passed', () =>
    expect(formatTimeLeft('2025-12-31T23:59:59Z', now)).toBeUndefined());
});

it('formatSizeChange returns the relative change in percent', () => {
  expect(formatSizeChange(100, 817)).toBe('+717%');
  expect(formatSizeChange(1_000_000, 880_000)).toBe('-12%');
  expect(formatSizeChange(1_000, 20_000)).toBe('+1,900%');
  expect(formatSizeChange(1_000, 1_001)).toBe('same size');
  expect(formatSizeChange(24_000, 96)).toBe('-99%');
});

it.each([
  [28, '28 ms'],
  [599.2, '600 ms'],
  [2_100, '2.1 s'],
])('formatShortTime(%d) -> %s', (ms, text) => expect(formatShortTime(ms)).toBe(text));
