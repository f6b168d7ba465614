import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { expect, it } from 'vitest';
import { findChangeBlock, findPauseBlock } from './plan-facts.ts';

type Subscription = NonNullable<Billing['subscription']>;
const at = '2026-12-23T12:00:00.000Z';
const usd = (amount: number) => ({ amount, currency: 'usd' });
const basic = { tier: 'api_basic', interval: 'month', priceId: 'basic', price: usd(1_900) } as const;
const pro = { tier: 'pro', interval: 'month', priceId: 'pro', price: usd(700) } as const;
const subscription: Subscription = {
  ...{ plan: pro, planVersion: 1, badge: 'active', periodStart: at, periodEnd: at },
  ...{ cancelAt: null, pausedUntil: null, next: null, pending: null, card: null },
};
const billing: Billing = {
  ...{ tier: 'pro', override: null, subscription, nextBill: null, unpaid: null, packs: [] },
  ...{ moneyBackUntil: null, moneyBackAmount: null, isOffered: false },
};

const pauses: [state: string, change: Partial<Subscription>, reason: string][] = [
  ['of a year', { plan: { ...pro, interval: 'year' } }, 'Only monthly plans can be paused.'],
  ['with an unpaid bill', { badge: 'past_due' }, 'Pay your unpaid bill before you pause your plan.'],
  ['that is canceled', { cancelAt: at }, 'Your plan is set to end. To pause it, select "Keep plan" first.'],
  ['that is paused', { pausedUntil: at }, 'Your plan is already set to pause until Dec 23, 2026.'],
  [
    'that changes later',
    { next: { plan: basic, at } },
    'Your plan changes to API Basic on Dec 23, 2026. Undo the change before you pause your plan.',
  ],
  [
    'whose change is unpaid',
    { pending: { plan: basic, until: at } },
    "Your change to API Basic isn't paid yet. Pay or undo it before you pause your plan.",
  ],
];
it.each(pauses)('says why a plan %s cannot be paused', (_, change, reason) => {
  expect(findPauseBlock({ ...subscription, ...change })).toBe(reason);
});

it('allows to pause and to change an active monthly plan', () => {
  expect(findPauseBlock(subscription)).toBeUndefined();
  expect(findChangeBlock(billing)).toBeUndefined();
  expect(findChangeBlock({ ...billing, subscription: null })).toBeUndefined();
});

it('says why a plan cannot be changed', () => {
  const change = (changed: Partial<Subscription>) =>
    findChangeBlock({ ...billing, subscription: { ...subscription, ...changed } });
  expect(change({ badge: 'past_due' })).toBe('Pay your unpaid bill before you change your plan.');
  expect(findChangeBlock({ ...billing, subscription }, true)).toBe(
    'Your account will be deleted. Keep your account before you change your plan.',
  );
  expect(change({ cancelAt: at })).toBe('Your plan is set to end. To change it, select "Keep plan" first.');
  expect(change({ pausedUntil: at })).toBe('Your plan is set to pause. Resume it before you change it.');
});

it('allows to change a plan whose pause has begun', () => {
  const paused = { ...subscription, pausedUntil: at };
  expect(findChangeBlock({ ...billing, tier: 'free', subscription: paused })).toBeUndefined();
});
