import { formerPlans } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { User } from '@uprez/contracts/schemas/user';
import { expect, it, onTestFinished } from 'vitest';
import { findAction, type Offer } from './plan-action.tsx';

const pro = { key: 'pro', price: 7 } as const;
const month: Offer = { interval: 'month', price: 7, priceId: 'price_month' };
const year: Offer = { interval: 'year', price: 70, priceId: 'price_year' };
const userOf = (subscriptionTier: User['subscriptionTier']) => ({ subscriptionTier }) as User;
const subscriber = (tier: User['subscriptionTier'], badge = 'active') =>
  ({ subscription: { badge, plan: { tier, interval: 'month' } } }) as Billing;
const visitor = { user: null, billing: undefined };

it('leads visitors to sign in, and users to the payment page', () => {
  expect(findAction(pro, month, visitor)).toBe('sign-in');
  expect(findAction(pro, month, { user: userOf('free'), billing: undefined })).toBe('buy');
  expect(findAction({ key: 'free', price: 0 }, { ...month, price: 0, priceId: null }, visitor)).toBe('sign-up');
});

it('leads subscribers to the change, also when a bill is unpaid, but not after a purchase that was never paid', () => {
  const user = userOf('api_basic');
  expect(findAction(pro, month, { user, billing: subscriber('api_basic') })).toBe('change');
  expect(findAction(pro, month, { user, billing: subscriber('api_basic', 'past_due') })).toBe('change');
  expect(findAction(pro, month, { user: userOf('free'), billing: subscriber('pro', 'incomplete') })).toBe('buy');
});

it('marks the plan as current for the interval that is paid', () => {
  const viewer = { user: userOf('pro'), billing: subscriber('pro') };
  expect(findAction(pro, month, viewer)).toBe('current');
  expect(findAction(pro, year, viewer)).toBe('change');
  expect(findAction(pro, year, { user: userOf('pro'), billing: { subscription: null } as Billing })).toBe('current');
});

it('leads subscribers of a former version to the current one', () => {
  const former = { ...currentPlans.pro, version: currentPlans.pro.version - 1 };
  formerPlans.pro = [former];
  onTestFinished(() => {
    delete formerPlans.pro;
  });
  const viewerOf = (planVersion: number) => ({
    user: { ...userOf('pro'), planVersion },
    billing: subscriber('pro'),
  });
  expect(findAction(pro, month, viewerOf(former.version))).toBe('change');
  expect(findAction(pro, month, viewerOf(currentPlans.pro.version))).toBe('current');
});

it('leads a subscriber of a former version of Enterprise to the current one, not to the email', () => {
  formerPlans.enterprise = [{ ...currentPlans.enterprise, version: 0 }];
  onTestFinished(() => {
    delete formerPlans.enterprise;
  });
  const user = { ...userOf('enterprise'), planVersion: 0 };
  const billing = { ...subscriber('enterprise'), isOffered: true } as Billing;
  expect(findAction({ key: 'enterprise', price: 149 }, month, { user, billing })).toBe('change');
});

it('sells Enterprise by email, until an administrator sent a link', () => {
  const enterprise = { key: 'enterprise', price: 149 } as const;
  const user = userOf('free');
  expect(findAction(enterprise, month, visitor)).toBe('mail');
  expect(findAction(enterprise, month, { user, billing: { subscription: null, isOffered: false } as Billing })).toBe(
    'mail',
  );
  expect(findAction(enterprise, month, { user, billing: { subscription: null, isOffered: true } as Billing })).toBe(
    'buy',
  );
  const subscribed = { ...subscriber('pro'), isOffered: true } as Billing;
  expect(findAction(enterprise, month, { user: userOf('pro'), billing: subscribed })).toBe('change');
});

it("says that a plan without a price isn't available", () => {
  const offer = { ...month, priceId: null };
  expect(findAction(pro, offer, visitor)).toBe('sign-in');
  expect(findAction(pro, offer, { user: userOf('free'), billing: undefined })).toBe('unavailable');
});
