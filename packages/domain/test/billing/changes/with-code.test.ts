import { randomUUID } from 'node:crypto';
import { listCouponErrors } from '@uprez/db/queries/coupons/redemptions';
import { changePlan } from '@uprez/domain/billing/changes/change-plan';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { createCoupon } from '@uprez/payments/coupons';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, describe, expect, it } from 'vitest';
import { openCodeWorld } from './open-code-world.ts';

const world = fileFixture(openCodeWorld);
afterEach(async () => {
  expect(await listCouponErrors(world.db)).toEqual([]);
});

type Case = { terms: Parameters<typeof world.makeCoupon>[0]; discount: number; next: number };

describe('an upgrade with a code', () => {
  it.each<[string, Case]>([
    ['for one bill', { terms: { duration: 'once' }, discount: 475, next: 1_900 }],
    ['for one month', { terms: { duration: 'months', durationMonths: 1 }, discount: 475, next: 1_900 }],
    ['for two months', { terms: { duration: 'months', durationMonths: 2 }, discount: 475, next: 1_425 }],
    ['for all bills', { terms: { duration: 'forever' }, discount: 475, next: 1_425 }],
    ['of a fixed amount', { terms: { percent: null, amount: 250 }, discount: 250, next: 1_900 }],
    ['of more than the price', { terms: { percent: null, amount: 9_900 }, discount: 1_900, next: 1_900 }],
    ['for its plan', { terms: { tiers: ['api_basic'] }, discount: 475, next: 1_900 }],
  ])('%s is charged as its preview says, today and next', async (_case, { terms, discount, next }) => {
    const subscriber = await world.buy('pro');
    await world.advance(subscriber, { seconds: 10 * 86_400 });
    await world.sync(subscriber);
    const coupon = await world.makeCoupon(terms);
    const quoted = await world.preview(subscriber, { coupon });
    const credit = quoted.today?.lines[0]?.amount ?? 0;
    // 7.00 for the rest of a month after 10 days, to the second.
    expect(credit).toBeGreaterThan(-500);
    expect(credit).toBeLessThan(-440);
    const total = 1_900 - discount + credit;
    const due = Math.max(0, total);
    expect(quoted.today).toMatchObject({ subtotal: 1_900 + credit, discount, total, due });
    const left = Math.max(0, -total);
    expect(quoted.next.amount).toBe(next - left);
    expect(await world.usesOf(coupon)).toEqual({ uses: 0, states: [] });
    const { accountId } = subscriber;
    const { previewId } = quoted;
    const input = { accountId, priceId: 'api_basic', previewId, code: coupon.code };
    const { billing } = await changePlan(world.ctx, input);
    expect(billing).toMatchObject({ tier: 'api_basic', nextBill: { amount: next - left } });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700 + due, refunded: 0 });
    expect(await world.latestInvoice(subscriber)).toMatchObject({ status: 'paid', discount, total });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed'] });
    // A double click.
    expect(await changePlan(world.ctx, input)).toMatchObject({ clientSecret: null });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed'] });
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 2 * 3_600 });
    expect(await world.latestInvoice(subscriber)).toMatchObject({ status: 'paid', due: next - left });
  });

  it('from a month to a year is discounted, and so is the next year', async () => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon({ percent: 50, duration: 'forever' });
    const to = world.yearlyPriceId;
    const quoted = await world.preview(subscriber, { to, coupon });
    expect(quoted).toMatchObject({ kind: 'upgrade', today: { discount: 3_500 }, next: { amount: 3_500 } });
    expect((await world.change(subscriber, { to, coupon })).billing.nextBill).toMatchObject({ amount: 3_500 });
  });

  it('keeps discounts that the subscription has from elsewhere', async () => {
    const subscriber = await world.buy('pro');
    const couponId = randomUUID();
    const terms = { discount: { percent: 25 }, duration: { kind: 'forever' }, productIds: [] } as const;
    await createCoupon(world.payments, { couponId, name: 'Own', ...terms, idempotencyKey: randomUUID() });
    await world.post(`subscriptions/${subscriber.subscriptionId}`, { 'discounts[0][coupon]': couponId });
    const coupon = await world.makeCoupon({ percent: 10 });
    const quoted = await world.preview(subscriber, { coupon });
    expect(quoted).toMatchObject({ today: { discount: 475 + 143 }, next: { amount: 1_425 } });
    await world.change(subscriber, { coupon });
    expect(await world.readDiscounts(subscriber)).toMatchObject([{ couponId }]);
  });

  it('is discounted when a pause ends', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    await pausePlan(world.ctx, { accountId, months: 2 });
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 86_400 });
    await world.sync(subscriber);
    const coupon = await world.makeCoupon();
    const { kind, today, previewId } = await world.preview(subscriber, { to: 'pro', coupon });
    expect({ kind, today }).toMatchObject({ kind: 'resume', today: { discount: 175, due: 525 } });
    expect(await resumePlan(world.ctx, { accountId, previewId })).toMatchObject({ billing: { tier: 'pro' } });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700 + 525, refunded: 0 });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed'] });
  });
});
