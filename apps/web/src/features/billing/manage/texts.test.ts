import type { Billing, ChangePreview } from '@uprez/contracts/schemas/billing/billing';
import { describe, expect, it } from 'vitest';
import { describeUnpaidBill } from '../unpaid-banner.tsx';
import { describeTotal } from './billing-page.tsx';
import { describeCard } from './card-section.tsx';
import { formatConfirmLabel, formatReviewTitle } from './change-preview.tsx';
import { describeCancellation } from './leave-section.tsx';
import {
  describeAppliedChange,
  describeEnd,
  describeOverride,
  describePause,
  describeScheduledChange,
  describeTarget,
  describeTier,
  listFacts,
} from './plan-facts.ts';

const usd = (amount: number) => ({ amount, currency: 'usd' });
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const subscription = {
  plan: { tier: 'pro', interval: 'month', priceId: 'p', price: usd(700) },
  planVersion: 1,
  badge: 'active',
  ...{ periodStart: at(1), periodEnd: at(30) },
  ...{ cancelAt: null, pausedUntil: null, next: null, pending: null, card: null },
} as const;
const pro = subscription.plan;
const yearly = { ...pro, interval: 'year', price: usd(7_000) } as const;
const basic = { ...pro, tier: 'api_basic', price: usd(1_900) } as const;
const billing: Billing = {
  ...{
    tier: 'pro',
    override: null,
    subscription,
    unpaid: null,
    moneyBackUntil: null,
    moneyBackAmount: null,
    isOffered: false,
    packs: [],
  },
  nextBill: { at: at(30), reason: 'renewal', ...usd(700) },
};

it('names the period, and the next bill with its reason', () => {
  expect(listFacts(billing)).toEqual([
    ['Current period', 'Nov 1, 2026 to Nov 30, 2026'],
    ['Next bill', '$7.00 on Nov 30, 2026 (Renewal)'],
  ]);
  expect(listFacts({ ...billing, nextBill: null })[1]).toEqual(['Next bill', "You won't be billed again."]);
  for (const badge of ['incomplete', 'pending', 'canceled'] as const)
    expect(listFacts({ ...billing, subscription: { ...subscription, badge } })).toEqual([]);
  expect(listFacts({ ...billing, subscription: null })).toEqual([]);
});

it("says what an administrator's plan means, also for a subscription that is billed", () => {
  const override = { tier: 'api_pro', until: at(20), reason: null } as const;
  expect(describeOverride({ ...billing, override })).toBe(
    "An administrator gave you the API Pro plan. It applies until Nov 20, 2026. You're still billed for your Pro subscription.",
  );
  expect(describeOverride({ ...billing, override: { ...override, until: null }, subscription: null })).toBe(
    'An administrator gave you the API Pro plan.',
  );
  expect(describeOverride(billing)).toBe('');
});

it('says from when a plan is paused, and that it is paused', () => {
  const paused = { ...billing, subscription: { ...subscription, pausedUntil: '2026-12-30T12:00:00.000Z' } };
  const override = { tier: 'pro', until: null, reason: null } as const;
  expect(describePause(paused)).toBe(
    "Your plan pauses on Nov 30, 2026 and continues on Dec 30, 2026. You won't be billed during the pause.",
  );
  expect(describePause({ ...paused, tier: 'free' })).toBe(
    "Paused until Dec 30, 2026. You aren't billed and use the Free plan until then.",
  );
  expect(describePause({ ...paused, override })).toBe('Billing is paused until Dec 30, 2026.');
  expect(describePause(billing)).toBe('');
});

it('says which plan applies instead of a subscription that is not paid', () => {
  expect(describeTier(billing)).toBe('');
  expect(describeTier({ ...billing, tier: 'free' })).toBe('The Free plan applies until your next bill is paid.');
  expect(describeTier({ ...billing, tier: 'free', nextBill: null })).toBe('The Free plan applies now.');
});

it('says when an unpaid bill is collected again, and when the plan ends', () => {
  const unpaid = { invoiceId: 'in_1', retryAt: at(3), endsAt: at(7), ...usd(700) };
  expect(describeUnpaidBill({ unpaid, override: null })).toBe(
    "Your payment of $7.00 failed. We'll try again on Nov 3, 2026. Without payment, your plan ends on Nov 7, 2026. Your quota is reduced until the bill is paid.",
  );
  const unknown = { ...unpaid, retryAt: null, endsAt: null };
  expect(describeUnpaidBill({ unpaid: unknown, override: null })).toBe('Your payment of $7.00 failed.');
  const override = { tier: 'api_pro', until: null, reason: null } as const;
  expect(describeUnpaidBill({ unpaid, override })).toBe(
    "Your payment of $7.00 failed. We'll try again on Nov 3, 2026. Without payment, your subscription ends on Nov 7, 2026. The API Pro plan that an administrator gave you isn't affected.",
  );
});

it('says what canceling does', () => {
  expect(describeCancellation(billing, subscription)).toBe(
    "If you cancel, your plan stays active until Nov 30, 2026. You won't be billed again.",
  );
  const unpaid = { invoiceId: 'in_1', retryAt: null, endsAt: null, ...usd(700) };
  expect(describeCancellation({ ...billing, unpaid }, subscription)).toContain('your plan ends now');
  expect(describeCancellation({ ...billing, tier: 'free' }, subscription)).toBe(
    "If you cancel, your subscription ends on Nov 30, 2026. You won't be billed again.",
  );
  expect(describeEnd(billing, at(30))).toBe('Your plan ends on Nov 30, 2026. You can use it until then.');
  expect(describeEnd(billing, at(30), at(6))).toBe(
    "Your plan ends with your account on Nov 6, 2026. You won't be billed again. Keep your account to keep your plan.",
  );
  expect(describeEnd(billing, at(5), at(6))).toContain('Nov 5, 2026');
  expect(describeEnd({ ...billing, tier: 'free' }, at(30))).toBe(
    "Your subscription ends on Nov 30, 2026. You won't be billed again.",
  );
  expect(describeCancellation({ ...billing, moneyBackUntil: at(20) }, subscription)).toBe(
    'You can cancel with a full refund until Nov 20, 2026.',
  );
});

describe('the button of a change', () => {
  const bill = { lines: [], subtotal: 0, discount: 0, tax: 0, total: 0, due: 0, currency: 'usd' };
  it('names the money of an upgrade, and the date of a downgrade', () => {
    const label = (change: { kind: ChangePreview['kind']; due?: number }) => {
      const today = change.kind === 'downgrade' ? null : { ...bill, due: change.due ?? 0 };
      return formatConfirmLabel({ kind: change.kind, plan: pro, today, at: at(30) }, basic);
    };
    expect(label({ kind: 'upgrade', due: 1_270 })).toBe('Pay $12.70 and change plan');
    expect(label({ kind: 'downgrade' })).toBe('Change plan on Nov 30, 2026');
    expect(label({ kind: 'upgrade' })).toBe('Change plan');
    expect(label({ kind: 'resume', due: 700 })).toBe('Pay $7.00 and resume plan');
    expect(label({ kind: 'resume' })).toBe('Resume plan');
  });
  it('names the interval of a downgrade to the same plan', () => {
    expect(formatConfirmLabel({ kind: 'downgrade', plan: pro, today: null, at: at(30) }, yearly)).toBe(
      'Change to monthly billing on Nov 30, 2026',
    );
  });
});

it('says what a change does, also one of the interval or the price', () => {
  expect(describeScheduledChange(basic, pro, at(30))).toBe('Your plan changes to Pro on Nov 30, 2026');
  expect(describeScheduledChange(yearly, pro, at(30))).toBe('Your Pro plan changes to monthly billing on Nov 30, 2026');
  expect(describeScheduledChange(pro, { ...pro, price: usd(600) }, at(30))).toBe(
    'Your Pro plan changes to the new price on Nov 30, 2026',
  );
  expect([describeTarget(pro, basic), describeTarget(pro, yearly)]).toEqual(['API Basic', 'yearly billing']);
  expect(describeAppliedChange(pro, basic)).toBe('You now have the API Basic plan');
  expect(describeAppliedChange(pro, yearly)).toBe('Your Pro plan is now billed yearly');
});

it('names what is reviewed: a change, or the plan that is resumed', () => {
  expect(formatReviewTitle({ name: 'Pro', isResume: false })).toBe('Change to Pro');
  expect(formatReviewTitle({ name: 'Pro', isResume: true })).toBe('Resume Pro');
  expect(formatReviewTitle({ name: undefined, isResume: false })).toBe('Change plan');
});

it('shows the days in UTC', () => {
  const until = '2026-11-30T23:59:59.000Z';
  const late = { ...subscription, periodStart: '2026-11-01T00:00:00.000Z', periodEnd: until };
  expect(listFacts({ ...billing, subscription: late })[0]).toEqual(['Current period', 'Nov 1, 2026 to Nov 30, 2026']);
  expect(describeEnd(billing, until)).toContain('Nov 30, 2026');
});

it('describes cards, and other payment methods without digits', () => {
  const card = { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2031 };
  expect(describeCard(card)).toEqual({ name: 'Visa ending in 4242', expires: 'Expires 04/2031' });
  const paypal = { brand: 'paypal', last4: null, expMonth: null, expYear: null };
  expect(describeCard(paypal)).toEqual({ name: 'PayPal', expires: undefined });
});

it('names the discount and tax of an invoice, and what was refunded', () => {
  expect(describeTotal({ subtotal: 700, discount: 140, tax: 58, refunded: 350, currency: 'usd' })).toBe(
    'Subtotal $7.00, discount -$1.40, tax $0.58, $3.50 refunded',
  );
  expect(describeTotal({ subtotal: 700, discount: 0, tax: 0, refunded: 0, currency: 'usd' })).toBe('');
});
