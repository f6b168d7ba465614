import { expect, it } from 'vitest';
import { describeNextEvent, describeUnits, noteOfTransaction } from './describe-payment.ts';

const paid = { failure: null, isDisputed: false, refunded: 0, currency: 'usd' };

it('names the refund of a payment, also beside a dispute', () => {
  expect(noteOfTransaction(paid)).toBeNull();
  expect(noteOfTransaction({ ...paid, refunded: 1_900 })).toBe('$19.00 refunded');
  expect(noteOfTransaction({ ...paid, isDisputed: true, refunded: 1_900 })).toBe('Disputed, $19.00 refunded');
  expect(noteOfTransaction({ ...paid, failure: 'Declined.' })).toBe('Declined.');
});

it('says which images a payment gave, and which were taken back', () => {
  expect(describeUnits([])).toEqual([]);
  expect(describeUnits([{ meter: 'shared', given: 1_000, reversed: 0 }])).toEqual(['Credits added: 1,000 images']);
  const both = [
    { meter: 'ai', given: 100, reversed: 100 },
    { meter: 'standard', given: 1_000, reversed: 1 },
  ] as const;
  expect(describeUnits([...both])).toEqual([
    'Credits added: 100 AI images and 1,000 standard images',
    'Credits removed: 100 AI images and 1 standard image',
  ]);
});

const at = (day: string) => `2026-${day}T10:00:00.000Z`;
const dates = { periodEnd: at('12-29'), cancelAt: null, endedAt: null, pausedUntil: null };
const active = { badge: 'active', isPaused: false, ...dates } as const;

it('says whether a subscription renews, ends, or has ended, with the date', () => {
  expect(describeNextEvent(active)).toBe('Renews on Dec 29, 2026');
  expect(describeNextEvent({ ...active, cancelAt: at('12-29') })).toBe('Cancels on Dec 29, 2026');
  expect(describeNextEvent({ ...active, badge: 'canceled', endedAt: at('11-29') })).toBe('Ended on Nov 29, 2026');
  expect(describeNextEvent({ ...active, isPaused: true, pausedUntil: at('12-30') })).toBe('Paused until Dec 30, 2026');
  expect(describeNextEvent({ ...active, badge: 'past_due' })).toBe('Period ends on Dec 29, 2026');
  expect(describeNextEvent({ ...active, badge: 'incomplete' })).toBeNull();
});
