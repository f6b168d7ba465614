import { listCouponErrors } from '@uprez/db/queries/coupons/redemptions';
import { changePlan } from '@uprez/domain/billing/changes/change-plan';
import { reserveCoupon } from '@uprez/domain/billing/coupons/reserve-coupon';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, describe, expect, it } from 'vitest';
import { code } from './open-change-world.ts';
import { openCodeWorld } from './open-code-world.ts';

const world = fileFixture(openCodeWorld);
afterEach(async () => {
  expect(await listCouponErrors(world.db)).toEqual([]);
});

describe('a change is rejected', () => {
  it('with coupon_scheduled at the end of the period', async () => {
    const [monthly, yearly] = [await world.buy('api_basic'), await world.buy({ priceId: world.yearlyPriceId })];
    const coupon = await world.makeCoupon();
    for (const subscriber of [monthly, yearly])
      await expect(world.preview(subscriber, { to: 'pro', coupon })).rejects.toEqual(code('coupon_scheduled'));
    expect(await world.usesOf(coupon)).toEqual({ uses: 0, states: [] });
  });

  it('with preview_changed when it has another code than its preview, or none', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const [coupon, other] = [await world.makeCoupon(), await world.makeCoupon()];
    const { previewId } = await world.preview(subscriber, { coupon });
    const plain = await world.preview(subscriber, {});
    const inputs = [{ previewId }, { previewId, code: other.code }, { previewId: plain.previewId, code: coupon.code }];
    for (const input of inputs)
      await expect(changePlan(world.ctx, { accountId, priceId: 'api_basic', ...input })).rejects.toEqual(
        code('preview_changed'),
      );
    expect(await world.readCalls(subscriber)).toEqual([]);
  });

  it.each([
    ['coupon_disabled', { disabledAt: new Date() }],
    ['coupon_expired', { expiresAt: new Date(0) }],
    ['coupon_wrong_plan', { tiers: ['api_pro' as const] }],
  ])('with %s when that happened after its preview', async (expected, ended) => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon();
    const { previewId } = await world.preview(subscriber, { coupon });
    await world.db.updateTable('coupons').set(ended).where('id', '=', coupon.id).execute();
    const { accountId } = subscriber;
    const input = { accountId, priceId: 'api_basic', previewId, code: coupon.code };
    await expect(changePlan(world.ctx, input)).rejects.toEqual(code(expected));
    await expect(world.preview(subscriber, { coupon })).rejects.toEqual(code(expected));
    expect(await world.readCalls(subscriber)).toEqual([]);
    expect(await world.usesOf(coupon)).toEqual({ uses: 0, states: [] });
  });

  it('with coupon_second when the purchase had a code, also before its payment is synced', async () => {
    const subscriber = await world.subscribe('pro');
    await world.sync(subscriber);
    const { accountId } = subscriber;
    const [bought, coupon] = [await world.makeCoupon(), await world.makeCoupon()];
    const callId = (await getSubscription(world.payments, subscriber.subscriptionId)).subscription.callId ?? '';
    await world.db
      .transaction()
      .execute((tx) => reserveCoupon(tx, { code: bought.code, accountId, tier: 'pro', callId }));
    await world.pay(subscriber);
    await expect(world.change(subscriber, { coupon })).rejects.toEqual(code('coupon_second'));
    expect(await world.usesOf(bought)).toEqual({ uses: 1, states: ['redeemed'] });
    expect(await world.usesOf(coupon)).toEqual({ uses: 0, states: [] });
    await expect(world.preview(subscriber, { coupon })).rejects.toEqual(code('coupon_second'));
  });

  it('M6: with coupon_used_up for all but one of 20 subscribers at once', async () => {
    const coupon = await world.makeCoupon();
    const subscribers: Subscriber[] = [];
    while (subscribers.length < 20) subscribers.push(await world.buy('pro'));
    const ends = await Promise.allSettled(subscribers.map((subscriber) => world.change(subscriber, { coupon })));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const errors = ends.map((end) => (end.status === 'rejected' ? end.reason.code : undefined));
    expect(new Set(errors)).toEqual(new Set([undefined, 'coupon_used_up']));
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed'] });
    const discounts = await Promise.all(subscribers.map(async (one) => (await world.latestInvoice(one))?.discount));
    expect(discounts.filter((discount) => discount === 475)).toHaveLength(1);
    const tiers = await Promise.all(subscribers.map(world.readTier));
    expect(tiers.filter((tier) => tier === 'api_basic')).toHaveLength(1);
  });
});
