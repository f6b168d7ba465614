import { expect, it } from 'vitest';
import { quotaNotes, quotaText } from './quota-text.ts';

const resetsAt = '2026-12-01T12:00:00.000Z';
const ai = { meter: 'ai', included: 10, granted: 5, used: 3, left: 12, resetsAt } as const;

it('counts what was granted beside the plan, and groups large numbers', () => {
  expect(quotaText(ai)).toBe('3 of 15 AI pictures');
  expect(quotaText({ meter: 'shared', included: 25_000, granted: 0, used: 26_000, left: 0, resetsAt })).toBe(
    '26,000 of 25,000 pictures',
  );
});

it('says what was granted, and how long the meter lasts', () => {
  const forecast = [
    { meter: 'standard', endsAt: '2026-11-22T12:00:00.000Z' },
    { meter: 'ai', endsAt: '2026-11-28T12:00:00.000Z' },
  ] as const;
  expect(quotaNotes(ai, [...forecast])).toEqual([
    '5 of them were granted besides the plan.',
    'At this pace they last until Nov 28, 2026.',
  ]);
  expect(quotaNotes({ ...ai, granted: 0 }, [])).toEqual([]);
});
