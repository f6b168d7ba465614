import { expect, it } from 'vitest';
import { dayFromNow, dayOf, endOfDay, isDayToCome } from './last-day.ts';

const now = Date.parse('2026-11-24T23:30:00.000Z');

it('accepts days that have not ended in UTC', () => {
  expect([isDayToCome('2026-11-23', now), isDayToCome('2026-11-24', now), isDayToCome('2026-11-25', now)]).toEqual([
    false,
    true,
    true,
  ]);
  expect([isDayToCome('', now), isDayToCome('tomorrow', now), isDayToCome('2026-02-31', now)]).toEqual([
    false,
    false,
    false,
  ]);
});

it('counts days in UTC', () => {
  expect(dayFromNow(30, now)).toBe('2026-12-24');
  expect(dayOf(endOfDay('2026-12-24'))).toBe('2026-12-24');
  expect(endOfDay('2026-12-24')).toBe('2026-12-24T23:59:59.999Z');
});
