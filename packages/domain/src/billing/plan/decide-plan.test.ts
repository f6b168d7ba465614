import { describe, expect, it } from 'vitest';
import { decidePlan, type PlanLine, type PlanSubscription } from './decide-plan.ts';

const at = (day: string) => new Date(`2026-${day}T00:00:00Z`);
const now = at('11-15');

const line = (change: Partial<PlanLine> = {}): PlanLine => ({
  invoiceId: 'in_1',
  status: 'paid',
  reason: 'subscription_create',
  from: at('11-10'),
  until: at('12-10'),
  finalizedAt: at('11-10'),
  ...change,
});
const renewal = (change: Partial<PlanLine> = {}) =>
  line({ invoiceId: 'in_2', status: 'open', reason: 'subscription_cycle', ...change });
const former = line({ from: at('10-10'), until: at('11-10') });

const subscription = (change: Partial<PlanSubscription> = {}): PlanSubscription => ({
  tier: 'pro',
  planVersion: 1,
  status: 'active',
  isPaused: false,
  cancelsAtPeriodEnd: false,
  anchor: at('10-10'),
  periodEnd: at('12-10'),
  next: null,
  lines: [line()],
  ...change,
});

const decide = (...subscriptions: PlanSubscription[]) => decidePlan({ override: null, subscriptions, now });
const free = { source: 'none', tier: 'free', endsAt: null };
const full = { tier: 'pro', share: 100, ref: 'in_1', from: at('11-10'), until: at('12-10'), endsAt: at('12-10') };
const bridge = { tier: 'pro', share: 25, ref: 'in_2', from: at('11-10'), until: at('12-10'), endsAt: at('12-10') };

describe('each status at Stripe', () => {
  it.each<[string, Partial<PlanSubscription>, object]>([
    ['incomplete', { status: 'incomplete', lines: [line({ status: 'open' })] }, free],
    ['incomplete_expired', { status: 'incomplete_expired' }, free],
    ['active with a paid line that covers now', {}, full],
    ['active and paid, canceled at the end of the period', { cancelsAtPeriodEnd: true }, full],
    [
      'active with a renewal invoice in draft',
      { lines: [former, renewal({ status: 'draft', finalizedAt: null })] },
      bridge,
    ],
    ['active with an open renewal invoice', { lines: [former, renewal()] }, bridge],
    ['active with an open invoice that is no renewal', { lines: [former, line({ status: 'open' })] }, free],
    ['active with a paid line of the past', { lines: [former] }, free],
    ['active with a paid line of the future', { lines: [line({ from: at('11-16') })] }, free],
    ['active without lines', { lines: [] }, free],
    [
      'past_due, 5 days after the first attempt',
      { status: 'past_due', lines: [former, renewal()] },
      { ...bridge, endsAt: at('11-17') },
    ],
    [
      'past_due, 7 days after the first attempt',
      { status: 'past_due', lines: [renewal({ finalizedAt: at('11-08') })] },
      free,
    ],
    ['past_due with another line that is paid', { status: 'past_due' }, full],
    ['active, paused, and paid', { isPaused: true }, full],
    ['active, paused, and not paid', { isPaused: true, lines: [former, renewal()] }, free],
    ['unpaid', { status: 'unpaid' }, free],
    ['canceled', { status: 'canceled' }, free],
    ['paused', { status: 'paused' }, free],
    ['trialing', { status: 'trialing' }, free],
    ['other', { status: 'other' }, free],
  ])('%s', (_status, change, expected) => {
    expect(decide(subscription(change))).toMatchObject(expected);
  });
});

describe('between the end of a period and its renewal invoice', () => {
  const ended = { lines: [line({ from: at('10-15'), until: now })], periodEnd: now, anchor: at('10-15') };
  const hour = new Date(Number(now) + 3_600_000);

  it('bridges an hour', () => {
    const expected = { share: 25, from: now, until: at('12-15'), endsAt: hour };
    expect(decide(subscription(ended))).toMatchObject(expected);
    expect(decidePlan({ override: null, subscriptions: [subscription(ended)], now: hour })).toEqual(free);
  });

  it('bridges the plan that follows', () => {
    const next = { tier: 'api_basic', planVersion: 2, at: now } as const;
    expect(decide(subscription({ ...ended, next }))).toMatchObject({ tier: 'api_basic', planVersion: 2, share: 25 });
    const later = { ...next, at: at('12-15') };
    expect(decide(subscription({ ...ended, next: later }))).toMatchObject({ tier: 'pro', planVersion: 1, share: 25 });
  });

  it('bridges nothing when the subscription ends or is paused', () => {
    expect(decide(subscription({ ...ended, cancelsAtPeriodEnd: true }))).toEqual(free);
    expect(decide(subscription({ ...ended, isPaused: true }))).toEqual(free);
  });
});

describe('an account without subscriptions', () => {
  it('is free', () => {
    expect(decide()).toEqual(free);
  });
});

describe('an account with several subscriptions', () => {
  it('has the dearest plan that is paid or bridged', () => {
    const basic = subscription({ tier: 'api_basic' });
    expect(decide(subscription(), basic)).toMatchObject({ tier: 'api_basic' });
    expect(decide(subscription(), subscription({ tier: 'api_pro', status: 'unpaid' }))).toMatchObject({ tier: 'pro' });
  });

  it('has the full plan before a bridged one of the same tier', () => {
    const bridged = subscription({ lines: [former, renewal()] });
    expect(decide(bridged, subscription())).toMatchObject({ share: 100 });
  });
});

describe('an override', () => {
  const override = (until: Date | null) =>
    decidePlan({ override: { tier: 'enterprise', until }, subscriptions: [subscription()], now });

  it('holds until its end, above a paid plan', () => {
    expect(override(null)).toEqual({ source: 'override', tier: 'enterprise', endsAt: null });
    expect(override(at('11-16'))).toEqual({ source: 'override', tier: 'enterprise', endsAt: at('11-16') });
  });

  it('leaves the paid plan when it ends', () => {
    expect(override(now)).toMatchObject(full);
  });
});
