import { expect, it } from 'vitest';
import { dayFromNow, dayOf, describeConflict, describeOutcome, endOfDay, isFutureDay } from './user-dialogs.tsx';

it('warns when a plan disagrees with the live subscription', () => {
  expect(describeConflict(null, { subscriptionTier: 'pro', endsAt: '' })).toBeUndefined();
  expect(describeConflict('pro', { subscriptionTier: 'pro', endsAt: '' })).toBeUndefined();
  expect(describeConflict('pro', { subscriptionTier: 'enterprise', endsAt: '' })).toBe(
    'This user has a live subscription to Pro. Stripe continues to bill it while Enterprise applies.',
  );
  expect(describeConflict('pro', { subscriptionTier: 'free', endsAt: '2100-01-01' })).toMatch(/while Free applies/);
  expect(describeConflict('pro', { subscriptionTier: 'free', endsAt: '' })).toMatch(
    /the subscription they pay for: Pro/,
  );
});

it('says what happened when the user has another plan than the chosen one', () => {
  const free = { subscriptionTier: 'free', endsAt: '' } as const;
  expect(describeOutcome(free, { subscriptionTier: 'free', billedTier: null })).toBeUndefined();
  expect(describeOutcome(free, { subscriptionTier: 'pro', billedTier: 'pro' })).toEqual({
    title: 'The user has Pro',
    description: 'Free removes a plan set by an administrator. The user has the subscription they pay for: Pro.',
  });
});

const now = Date.parse('2026-11-24T23:30:00.000Z');

it('accepts days that have not ended in UTC', () => {
  expect([isFutureDay('2026-11-23', now), isFutureDay('2026-11-24', now), isFutureDay('2026-11-25', now)]).toEqual([
    false,
    true,
    true,
  ]);
  expect([isFutureDay('', now), isFutureDay('tomorrow', now), isFutureDay('2026-02-31', now)]).toEqual([
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
