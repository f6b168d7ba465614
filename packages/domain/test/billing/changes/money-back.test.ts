import { randomUUID } from 'node:crypto';
import { moneyBackRuleFact } from '@uprez/db/queries/billing/money-back';
import { setInstanceFact } from '@uprez/db/queries/instance/instance';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { releaseUnit } from '@uprez/domain/usage/release-units';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { cancelNow } from '@uprez/payments/subscription-changes';
import { createSubscription } from '@uprez/payments/subscriptions';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);

describe('the money-back guarantee', () => {
  // All accounts of these tests pay with a few cards.
  beforeEach(() => world.db.deleteFrom('moneyBackCards').execute());

  it('refunds the first yearly payment in full and ends the plan, once per account', async () => {
    const subscriber = await world.buy({ priceId: world.yearlyPriceId });
    const { accountId } = subscriber;
    expect((await world.sync(subscriber)).moneyBackUntil).not.toBeNull();
    const billing = await refundPlan(world.ctx, { accountId, feedback: 'unused' });
    expect(billing).toMatchObject({ tier: 'free', subscription: null, nextBill: null, moneyBackUntil: null });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 7_000, refunded: 7_000 });
    await expect(refundPlan(world.ctx, { accountId })).rejects.toEqual(code('no_subscription'));
    expect((await world.readCalls(subscriber)).map(({ state }) => state)).toEqual(['done']);
  });

  it('does not apply to a second yearly plan', async () => {
    const subscriber = await world.buy({ priceId: world.yearlyPriceId });
    const used = world.db.updateTable('billingCustomers').set({ moneyBackAt: new Date() });
    await used.where('stripeId', '=', subscriber.customerId).execute();
    expect((await world.sync(subscriber)).moneyBackUntil).toBeNull();
    await expect(refundPlan(world.ctx, subscriber)).rejects.toEqual(code('money_back_over'));
  });

  it('does not apply to monthly plans, or after 30 days', async () => {
    const monthly = await world.buy('pro');
    await expect(refundPlan(world.ctx, monthly)).rejects.toEqual(code('money_back_over'));
    const late = await world.buy({ priceId: world.yearlyPriceId });
    await world.advance(late, { seconds: 30 * 86_400 + 60 });
    await world.sync(late);
    await expect(refundPlan(world.ctx, late)).rejects.toEqual(code('money_back_over'));
    expect(await world.readMoney(late)).toEqual({ paid: 7_000, refunded: 0 });
  });

  it.each([
    ['was refunded by an administrator', true],
    ['was for a plan that has ended', false],
  ])('is not offered for a second yearly plan when the first payment %s', async (_case, isRefunded) => {
    const { accountId, customerId, subscriptionId } = await world.buy({ priceId: world.yearlyPriceId });
    const first = { accountId, customerId, subscriptionId };
    const [invoice] = await world.readInvoices(first);
    if (isRefunded) await world.post('refunds', { payment_intent: invoice?.paymentIntentIds[0] ?? '' });
    const refunded = await world.sync(first);
    expect(refunded.moneyBackUntil === null).toBe(isRefunded);
    await cancelNow(world.payments, { subscriptionId });
    await world.advance(first, { seconds: 86_400 });
    const bought = { accountId, callId: randomUUID(), customerId, idempotencyKey: randomUUID(), collectsTax: false };
    const { subscription } = await createSubscription(world.payments, { ...bought, priceId: world.yearlyPriceId });
    const second = { ...first, subscriptionId: subscription.id };
    await world.pay(second);
    expect(await world.sync(second)).toMatchObject({ tier: 'pro', moneyBackUntil: null, moneyBackAmount: null });
    await expect(refundPlan(world.ctx, second)).rejects.toEqual(code('money_back_over'));
    expect(await world.readMoney(second)).toEqual({ paid: 14_000, refunded: isRefunded ? 7_000 : 0 });
  });

  it('refunds once when it is asked for twice at once', async () => {
    const subscriber = await world.buy({ priceId: world.yearlyPriceId });
    await Promise.allSettled([1, 2, 3].map(() => refundPlan(world.ctx, subscriber)));
    expect(await world.readMoney(subscriber)).toEqual({ paid: 7_000, refunded: 7_000 });
  });

  it('refunds accounts that share a card once, also at the same time', async () => {
    const sharing = await Promise.all([1, 2, 3].map(() => world.buy({ priceId: world.yearlyPriceId })));
    const other = await world.buy({ priceId: world.yearlyPriceId }, 'pm_card_mastercard');
    const results = await Promise.allSettled(
      [...sharing, other].map((subscriber) => refundPlan(world.ctx, subscriber)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([code('money_back_over'), code('money_back_over')]);
    expect(await world.readMoney(other)).toEqual({ paid: 7_000, refunded: 7_000 });
    const money = await Promise.all(sharing.map(world.readMoney));
    expect(money.reduce((sum, { refunded }) => sum + refunded, 0)).toBe(7_000);
    const later = await world.buy({ priceId: world.yearlyPriceId });
    await expect(refundPlan(world.ctx, later)).rejects.toEqual(code('money_back_over'));
    expect((await world.sync(later)).tier).toBe('pro');
  });

  it('keeps a card from other accounts while its refund is tried, and only then if it fails', async () => {
    const [first, second] = [
      await world.buy({ priceId: world.yearlyPriceId }),
      await world.buy({ priceId: world.yearlyPriceId }),
    ];
    await world.control('failures', { when: 'before', kind: 'reset', times: 99, method: 'POST', path: '/v1/refunds' });
    await expect(refundPlan(world.impatientCtx, first)).rejects.toEqual(code('billing_unavailable'));
    await expect(refundPlan(world.ctx, second)).rejects.toEqual(code('money_back_over'));
    const calls = world.db.updateTable('billingCalls').set({ expiresAt: new Date(0) });
    await calls.where('accountId', '=', first.accountId).execute();
    await world.finishAll();
    expect(await world.readCalls(first)).toMatchObject([{ state: 'failed' }]);
    await refundPlan(world.ctx, second);
    expect(await world.readMoney(second)).toEqual({ paid: 7_000, refunded: 7_000 });
    const cards = await world.db.selectFrom('moneyBackCards').selectAll().execute();
    expect(cards).toMatchObject([{ callId: null, refundedAt: expect.any(Date) }]);
  });

  const use = ({ accountId }: { accountId: string }, count: number) =>
    world.db.transaction().execute(async (tx) => {
      const jobs = Array.from({ length: count }, () => ({ id: randomUUID(), meter: 'ai' as const, reason: 'image' }));
      await reserveUnits(tx, { accountId, jobs });
      return jobs;
    });

  it('does not apply after the images of an upgrade were used, except to payments from before this rule', async () => {
    const subscriber = await world.buy({ priceId: world.yearlyPriceId });
    await use(subscriber, 51);
    const allowances = world.db.updateTable('allowances').set({ ref: 'in_upgrade' }).where('ref', 'is not', null);
    await allowances.where('accountId', '=', subscriber.accountId).execute();
    expect((await world.sync(subscriber)).moneyBackUntil).toBeNull();
    const setRule = (at: Date) => setInstanceFact(world.db, moneyBackRuleFact, at.toISOString());
    await setRule(new Date(Date.now() + 86_400_000));
    expect((await world.sync(subscriber)).moneyBackUntil).not.toBeNull();
    await setRule(new Date(0));
  });

  it('does not apply after more than half of the images of a month were used', async () => {
    const subscriber = await world.buy({ priceId: world.yearlyPriceId });
    await use(subscriber, 49);
    const [last] = await use(subscriber, 1);
    expect((await world.sync(subscriber)).moneyBackUntil).not.toBeNull();
    await use(subscriber, 1);
    expect((await world.sync(subscriber)).moneyBackUntil).toBeNull();
    await expect(refundPlan(world.ctx, subscriber)).rejects.toEqual(code('money_back_over'));
    await world.db.transaction().execute((tx) => releaseUnit(tx, last?.id ?? '', 'failed'));
    expect((await world.sync(subscriber)).moneyBackUntil).not.toBeNull();
  });
});
