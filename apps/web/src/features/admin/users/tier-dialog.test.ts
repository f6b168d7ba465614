import { expect, it } from 'vitest';
import { describeConflict } from './tier-dialog.tsx';

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
