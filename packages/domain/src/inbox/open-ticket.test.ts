import { expect, it } from 'vitest';
import { addBusinessHours } from './open-ticket.ts';

// 2026-11-27 is a Friday.
it.each([
  ['2026-11-24T10:15:00.000Z', 24, '2026-11-25T10:15:00.000Z'],
  ['2026-11-27T10:15:00.000Z', 24, '2026-11-30T10:15:00.000Z'],
  ['2026-11-27T23:59:59.999Z', 24, '2026-11-30T23:59:59.999Z'],
  ['2026-11-28T00:00:00.000Z', 24, '2026-12-01T00:00:00.000Z'],
  ['2026-11-29T18:00:00.000Z', 24, '2026-12-01T00:00:00.000Z'],
  ['2026-11-27T00:00:00.000Z', 24, '2026-11-28T00:00:00.000Z'],
  ['2026-11-26T12:00:00.000Z', 72, '2026-12-01T12:00:00.000Z'],
  ['2026-12-31T20:00:00.000Z', 24, '2027-01-01T20:00:00.000Z'],
])('counts from %s %d hours of Monday to Friday, until %s', (from, hours, until) => {
  expect(addBusinessHours(new Date(from), hours).toISOString()).toBe(until);
});
