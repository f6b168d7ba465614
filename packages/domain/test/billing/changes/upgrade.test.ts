import { randomUUID } from 'node:crypto';
import { changePlan, undoChange } from '@uprez/domain/billing/changes/change-plan';
import { previewChange, sealQuote } from '@uprez/domain/billing/changes/quote';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { type CouponDuration, createCoupon, createPromotionCode } from '@uprez/payments/coupons';
import { createSubscription } from '@uprez/payments/subscriptions';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { code, openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);

const preview = ({ accountId }: Subscriber, priceId: string) => previewChange(world.ctx, { accountId, priceId });
async function change(subscriber: Subscriber, priceId: string) {
  const { previewId } = await preview(subscriber, priceId);
  return await changePlan(world.ctx, { accountId: subscriber.accountId, priceId, previewId });
}

describe('an upgrade', () => {
  it('charges what its preview said, starts a new period, and gives the plan at once', async () => {
    const subscriber = await world.buy('pro');
    await world.advance(subscriber, { seconds: 10 * 86_400 });
    await world.sync(subscriber);
    const quoted = await preview(subscriber, 'api_basic');
    expect(quoted).toMatchObject({ kind: 'upgrade', plan: { tier: 'api_basic' }, next: { amount: 1_900 } });
    expect(quoted.today?.lines).toHaveLength(2);
    expect(quoted.today?.due).toBeGreaterThan(1_900 - 700);
    expect(quoted.today?.due).toBeLessThan(1_900);
    const { accountId } = subscriber;
    const input = { accountId, priceId: 'api_basic', previewId: quoted.previewId };
    const { clientSecret, billing } = await changePlan(world.ctx, input);
    expect(clientSecret).toBeNull();
    expect(billing).toMatchObject({
      tier: 'api_basic',
      subscription: { plan: { tier: 'api_basic' }, badge: 'active', pending: null },
      nextBill: { reason: 'renewal', amount: 1_900 },
    });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700 + (quoted.today?.due ?? 0), refunded: 0 });
    const seconds = (Date.parse(billing.nextBill?.at ?? '') - Date.parse(quoted.next.at)) / 1_000;
    expect(Math.abs(seconds)).toBeLessThan(60);
  });

  it('does nothing when it is repeated', async () => {
    const subscriber = await world.buy('pro');
    const { previewId } = await preview(subscriber, 'api_basic');
    const input = { accountId: subscriber.accountId, priceId: 'api_basic', previewId };
    await changePlan(world.ctx, input);
    const money = await world.readMoney(subscriber);
    expect(await changePlan(world.ctx, input)).toMatchObject({ clientSecret: null, billing: { tier: 'api_basic' } });
    expect(await world.readMoney(subscriber)).toEqual(money);
  });

  it('from monthly to yearly is charged at once, less the unused time', async () => {
    const subscriber = await world.buy('pro');
    const quoted = await preview(subscriber, world.yearlyPriceId);
    expect(quoted).toMatchObject({ kind: 'upgrade', plan: { tier: 'pro', interval: 'year' }, next: { amount: 7_000 } });
    const { billing } = await change(subscriber, world.yearlyPriceId);
    expect(billing.subscription?.plan).toMatchObject({ interval: 'year', price: { amount: 7_000 } });
    expect(billing.moneyBackUntil).not.toBeNull();
  });

  it('with a declined card returns the sentence of Stripe, keeps the plan, and charges nothing', async () => {
    const subscriber = await world.buy('pro');
    await world.setCard(subscriber, 'pm_card_chargeCustomerFail');
    await expect(change(subscriber, 'api_basic')).rejects.toMatchObject({
      code: 'payment_declined',
      message: 'Your card was declined.',
    });
    expect(await world.sync(subscriber)).toMatchObject({
      tier: 'pro',
      subscription: { plan: { tier: 'pro' }, badge: 'active', pending: null },
      unpaid: null,
    });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
    expect((await world.readInvoices(subscriber))[0]).toMatchObject({ status: 'void' });
    await world.setCard(subscriber, 'pm_card_visa');
    expect(await change(subscriber, 'api_basic')).toMatchObject({ billing: { tier: 'api_basic' } });
  });

  it('with a declined card keeps the downgrade that was scheduled', async () => {
    const subscriber = await world.buy('api_basic');
    const before = (await change(subscriber, 'pro')).billing.subscription?.next;
    await world.setCard(subscriber, 'pm_card_chargeCustomerFail');
    await expect(change(subscriber, 'api_pro')).rejects.toEqual(code('payment_declined'));
    expect((await world.sync(subscriber)).subscription).toMatchObject({ plan: { tier: 'api_basic' }, next: before });
  });

  it('with 3-D Secure keeps the plan until the customer confirms', async () => {
    const subscriber = await world.buy('pro');
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    const { clientSecret, billing } = await change(subscriber, 'api_basic');
    expect(clientSecret).toMatch(/^pi_.+_secret_/);
    expect(billing).toMatchObject({ tier: 'pro', subscription: { pending: { plan: { tier: 'api_basic' } } } });
    expect(JSON.stringify(await world.readCalls(subscriber))).not.toContain(clientSecret);
    const intent = clientSecret?.split('_secret_')[0];
    await world.control(`payment_intents/${intent}/authenticate`, { isPassed: true });
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'api_basic', subscription: { pending: null } });
  });

  it('that waits for 3-D Secure is withdrawn by undoing it', async () => {
    const subscriber = await world.buy('pro');
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    await change(subscriber, 'api_basic');
    const billing = await undoChange(world.ctx, subscriber.accountId);
    expect(billing).toMatchObject({ tier: 'pro', subscription: { plan: { tier: 'pro' }, pending: null } });
    expect((await world.readInvoices(subscriber))[0]).toMatchObject({ status: 'void' });
  });
});

describe('a payment that is not synced yet', () => {
  it('is credited by an upgrade, and is not charged again', async () => {
    const subscriber = await world.subscribe('pro');
    await world.sync(subscriber);
    await world.pay(subscriber);
    await expect(preview(subscriber, 'pro')).rejects.toEqual(code('subscription_state'));
    const quoted = await preview(subscriber, 'api_basic');
    expect(quoted).toMatchObject({ kind: 'upgrade' });
    expect(quoted.today?.due).toBeLessThan(1_900 - 690);
    await expect(resumePlan(world.ctx, { accountId: subscriber.accountId })).rejects.toEqual(
      code('subscription_state'),
    );
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
  });
});

describe('a downgrade', () => {
  it('costs nothing today, changes the plan at the end of the period, and can be undone', async () => {
    const subscriber = await world.buy('api_basic');
    const quoted = await preview(subscriber, 'pro');
    expect(quoted).toMatchObject({ kind: 'downgrade', today: null, next: { amount: 700 } });
    const { billing } = await change(subscriber, 'pro');
    expect(billing).toMatchObject({
      tier: 'api_basic',
      subscription: { next: { plan: { tier: 'pro' }, at: quoted.at } },
      nextBill: { reason: 'plan_change', amount: 700, at: quoted.next.at },
    });
    expect(await undoChange(world.ctx, subscriber.accountId)).toMatchObject({
      subscription: { next: null },
      nextBill: { reason: 'renewal', amount: 1_900 },
    });
    await change(subscriber, 'pro');
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 2 * 3_600 });
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'pro', subscription: { next: null } });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 1_900 + 700, refunded: 0 });
  });

  it('from yearly to monthly of the same plan starts after the year', async () => {
    const subscriber = await world.buy({ priceId: world.yearlyPriceId });
    expect(await preview(subscriber, 'pro')).toMatchObject({ kind: 'downgrade', today: null, next: { amount: 700 } });
  });

  it('replaces another one', async () => {
    const subscriber = await world.buy('api_pro');
    await change(subscriber, 'api_basic');
    const { billing } = await change(subscriber, 'pro');
    expect(billing.subscription?.next).toMatchObject({ plan: { tier: 'pro' } });
  });

  it('counts the credit of the customer', async () => {
    const subscriber = await world.buy('api_basic');
    await world.post(`customers/${subscriber.customerId}`, { balance: '-300' });
    expect((await preview(subscriber, 'pro')).next.amount).toBe(400);
  });
});

/** Makes an account with a paid plan and a coupon for 25% off. */
async function buyWithCoupon(tier: 'pro' | 'api_basic', duration: CouponDuration): Promise<Subscriber> {
  const { payments } = world;
  const key = () => ({ idempotencyKey: randomUUID() });
  const { accountId, customerId } = await world.subscribe(tier);
  const couponId = randomUUID();
  const terms = { discount: { percent: 25 }, duration, productIds: [] };
  await createCoupon(payments, { ...key(), couponId, name: 'Quarter', ...terms });
  const { id: promotionCodeId } = await createPromotionCode(payments, {
    ...key(),
    couponId,
    code: couponId.slice(0, 8),
  });
  const { subscription } = await createSubscription(payments, {
    ...{ ...key(), accountId, callId: randomUUID(), customerId, promotionCodeId },
    ...{ priceId: await world.findPrice(tier), collectsTax: false },
  });
  const subscriber = { accountId, customerId, subscriptionId: subscription.id };
  await world.pay(subscriber);
  await world.sync(subscriber);
  return subscriber;
}

describe('with a coupon', () => {
  it.each<[string, CouponDuration, number]>([
    ['that lasts', { kind: 'forever' }, 1_425],
    ['that lasts for more bills', { kind: 'months', months: 3 }, 1_425],
    ['for one bill', { kind: 'once' }, 1_900],
  ])('%s, the next bill after an upgrade is that of its preview', async (_case, duration, next) => {
    const subscriber = await buyWithCoupon('pro', duration);
    expect((await preview(subscriber, 'api_basic')).next.amount).toBe(next);
    expect((await change(subscriber, 'api_basic')).billing.nextBill?.amount).toBe(next);
  });

  it('the next bill after a downgrade is that of its preview', async () => {
    const subscriber = await buyWithCoupon('api_basic', { kind: 'forever' });
    expect((await preview(subscriber, 'pro')).next.amount).toBe(525);
    expect((await change(subscriber, 'pro')).billing.nextBill?.amount).toBe(525);
  });
});

describe('a preview', () => {
  it.each([
    ['of a price that is not sold', 'price_other', 'price_not_found'],
    ['of the own plan', 'pro', 'subscription_state'],
  ])('%s is rejected', async (_case, priceId, expected) => {
    await expect(preview(await world.buy('pro'), priceId)).rejects.toEqual(code(expected));
  });

  it('is rejected for an account without a subscription', async () => {
    const { accountId } = await world.subscribe('pro');
    await expect(previewChange(world.ctx, { accountId, priceId: 'api_pro' })).rejects.toEqual(code('no_subscription'));
  });

  it('does not hold for more than 15 minutes, other accounts, other prices, or other amounts', async () => {
    const [subscriber, other] = [await world.buy('pro'), await world.buy('pro')];
    const { accountId, subscriptionId } = subscriber;
    const priceId = await world.findPrice('api_basic');
    const quotedAtS = Math.floor(Date.now() / 1_000) - 15 * 60 - 1;
    const quote = {
      kind: 'upgrade',
      subscriptionId,
      priceId,
      quotedAtS,
      today: 1_200,
      next: 1_900,
      code: null,
    } as const;
    const { previewId } = await preview(subscriber, priceId);
    const inputs = [
      { accountId, priceId, previewId: sealQuote(world.ctx, accountId, quote) },
      { accountId: other.accountId, priceId, previewId },
      { accountId, priceId: await world.findPrice('api_pro'), previewId },
      { accountId, priceId, previewId: 'other' },
    ];
    for (const input of inputs) await expect(changePlan(world.ctx, input)).rejects.toEqual(code('preview_changed'));
    await world.post(`customers/${subscriber.customerId}`, { balance: '-100' });
    await expect(changePlan(world.ctx, { accountId, priceId, previewId })).rejects.toEqual(code('preview_changed'));
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
    expect(await world.readCalls(subscriber)).toEqual([]);
  });
});

it('of two changes at once, one succeeds', async () => {
  const subscriber = await world.buy('pro');
  const { accountId } = subscriber;
  const inputs = await Promise.all(
    ['api_basic', 'api_pro', 'api_basic'].map(async (priceId) => {
      const { previewId } = await preview(subscriber, priceId);
      return { accountId, priceId, previewId };
    }),
  );
  const results = await Promise.allSettled(inputs.map((input) => changePlan(world.ctx, input)));
  const failed = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
  expect(results.length - failed.length).toBeGreaterThanOrEqual(1);
  expect(failed.every((one) => ['billing_busy', 'preview_changed', 'subscription_state'].includes(one))).toBe(true);
  const paid = (await world.readInvoices(subscriber)).filter(({ status }) => status === 'paid');
  expect(paid).toHaveLength(2);
});
