import { formerPlans } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { expect, it, onTestFinished } from 'vitest';
import { findStanding } from './use-order.ts';

type Subscription = NonNullable<Billing['subscription']>;
const own = (change: Partial<Subscription> = {}) => ({
  subscription: {
    plan: { tier: 'pro', interval: 'month', priceId: 'price_1', price: { amount: 700, currency: 'usd' } },
    planVersion: currentPlans.pro.version,
    badge: 'active',
    pausedUntil: null,
    ...change,
  } as Subscription,
});
const pro = { plan: 'pro', interval: 'month' } as const;

it('an account without a subscription can buy the plan, also after a payment that was never made', () => {
  expect(findStanding(pro, { subscription: null })).toBe('open');
  for (const badge of ['incomplete', 'canceled'] as const) expect(findStanding(pro, own({ badge }))).toBe('open');
});

it('a subscriber has the plan, by its key and by the price that is paid', () => {
  expect(findStanding(pro, own())).toBe('owned');
  expect(findStanding({ plan: 'price_1' }, own())).toBe('owned');
});

it('a subscriber changes to another plan, interval, or version', () => {
  for (const choice of [{ plan: 'api_basic' }, { plan: 'price_2' }, { plan: 'pro', interval: 'year' } as const])
    expect(findStanding(choice, own())).toBe('subscriber');
  const former = { ...currentPlans.pro, version: currentPlans.pro.version - 1 };
  formerPlans.pro = [former];
  onTestFinished(() => {
    delete formerPlans.pro;
  });
  expect(findStanding(pro, own({ planVersion: former.version }))).toBe('subscriber');
});

it('an unpaid or paused plan is managed, and one whose payment is being processed waits', () => {
  expect(findStanding(pro, own({ badge: 'past_due' }))).toBe('subscriber');
  expect(findStanding(pro, own({ pausedUntil: '2026-12-01T00:00:00Z' }))).toBe('subscriber');
  expect(findStanding(pro, own({ badge: 'pending' }))).toBe('pending');
  expect(findStanding({ plan: 'api_basic' }, own({ badge: 'pending' }))).toBe('open');
});
