import { expect, it } from 'vitest';
import { describeConflict, describeOutcome } from './user-dialogs.tsx';

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
