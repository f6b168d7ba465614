import { expect, it } from 'vitest';
import { describeNext } from './describe-subscription.ts';

const at = (day: string) => `2026-${day}T10:00:00.000Z`;
const dates = { periodEnd: at('12-29'), cancelAt: null, endedAt: null, pausedUntil: null };
const active = { badge: 'active', isPaused: false, ...dates } as const;

it('says whether a subscription renews, ends, or has ended, with the date', () => {
  expect(describeNext(active)).toBe('Renews on Dec 29, 2026');
  expect(describeNext({ ...active, cancelAt: at('12-29') })).toBe('Cancels on Dec 29, 2026');
  expect(describeNext({ ...active, badge: 'canceled', endedAt: at('11-29') })).toBe('Ended on Nov 29, 2026');
  expect(describeNext({ ...active, isPaused: true, pausedUntil: at('12-30') })).toBe('Paused until Dec 30, 2026');
  expect(describeNext({ ...active, badge: 'past_due' })).toBe('Period ends on Dec 29, 2026');
  expect(describeNext({ ...active, badge: 'incomplete' })).toBeNull();
});
