import { expect, it } from 'vitest';
import { forecastDepletion } from './get-dashboard.ts';

const day = (n: number) => new Date(Date.UTC(2026, 10, n));
const period = { meter: 'ai', startsAt: day(1), resetsAt: day(31) } as const;

it('returns when the quota is used up at the current rate', () => {
  expect(forecastDepletion({ ...period, used: 50, left: 50 }, day(11))).toEqual({ meter: 'ai', endsAt: day(21) });
  expect(forecastDepletion({ ...period, used: 90, left: 10 }, day(10))).toEqual({ meter: 'ai', endsAt: day(11) });
});

it('returns undefined when the quota lasts, is used up, or the rate is unknown', () => {
  const silent = [
    [{ used: 30, left: 70 }, day(10)],
    [{ used: 1, left: 2 }, day(11)],
    [{ used: 100, left: 0 }, day(20)],
    [{ used: 0, left: 100 }, day(20)],
    [{ used: 90, left: 10 }, new Date(Number(day(4)) - 1)],
  ] as const;
  for (const [state, now] of silent) expect(forecastDepletion({ ...period, ...state }, now)).toBeUndefined();
  expect(forecastDepletion({ ...period, used: 90, left: 10 }, day(4))).toBeDefined();
});
