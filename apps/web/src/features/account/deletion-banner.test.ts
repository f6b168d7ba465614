import { expect, it } from 'vitest';
import { describeKeptPlan } from './deletion-banner.tsx';

const at = '2026-12-29T12:00:00.000Z';
const subscription = {
  plan: { tier: 'pro', interval: 'month', priceId: 'p', price: { amount: 700, currency: 'usd' } },
  planVersion: 1,
  badge: 'active',
  ...{ periodStart: at, periodEnd: at, cancelAt: null, pausedUntil: null, next: null, pending: null, card: null },
} as const;

it('says when the plan of a kept account renews, or that it still ends', () => {
  const nextBill = { at, reason: 'renewal', amount: 700, currency: 'usd' } as const;
  expect(describeKeptPlan({ subscription, nextBill })).toBe('Your Pro plan renews on Dec 29, 2026.');
  expect(describeKeptPlan({ subscription: { ...subscription, cancelAt: at }, nextBill: null })).toBe(
    'Your Pro plan is still set to end on Dec 29, 2026. To renew it, select "Keep plan" on the Billing page.',
  );
  expect(describeKeptPlan({ subscription: null, nextBill: null })).toBeUndefined();
});
