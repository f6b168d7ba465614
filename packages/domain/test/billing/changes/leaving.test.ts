import { randomUUID } from 'node:crypto';
import {
  cancelLeavingSubscriptions,
  reinstateKeptSubscriptions,
} from '@uprez/domain/billing/changes/cancel-leaving-subscriptions';
import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changePlan } from '@uprez/domain/billing/changes/change-plan';
import { findEndOfPause, pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { createSubscription, getSubscription } from '@uprez/payments/subscriptions';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { code, openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);
const readStripe = async ({ subscriptionId }: Subscriber) =>
  (await getSubscription(world.payments, subscriptionId)).subscription;
async function schedule({ accountId }: Subscriber, priceId: string) {
  const { previewId } = await previewChange(world.ctx, { accountId, priceId });
  await changePlan(world.ctx, { accountId, priceId, previewId });
}

describe('a cancellation', () => {
  it('ends the plan at the end of its period, with the reason, and can be taken back', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const canceled = await cancelPlan(world.ctx, { accountId, feedback: 'too_expensive', comment: 'Too much.' });
    expect(canceled).toMatchObject({ tier: 'pro', nextBill: null });
    expect(canceled.subscription?.cancelAt).toBe(canceled.subscription?.periodEnd);
    expect(await readStripe(subscriber)).toMatchObject({ cancelFeedback: 'too_expensive', cancelsAtPeriodEnd: true });
    expect(await cancelPlan(world.ctx, { accountId })).toEqual(canceled);
    const { clientSecret, billing } = await resumePlan(world.ctx, { accountId });
    expect(clientSecret).toBeNull();
    expect(billing).toMatchObject({ subscription: { cancelAt: null }, nextBill: { amount: 700 } });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
  });

  it('withdraws a downgrade', async () => {
    const subscriber = await world.buy('api_basic');
    await schedule(subscriber, 'pro');
    const { subscription } = await cancelPlan(world.ctx, { accountId: subscriber.accountId });
    expect(subscription).toMatchObject({ next: null, cancelAt: subscription?.periodEnd });
  });

  it('excludes other changes until it is taken back', async () => {
    const { accountId } = await world.buy('pro');
    await cancelPlan(world.ctx, { accountId });
    const state = code('subscription_state');
    await expect(previewChange(world.ctx, { accountId, priceId: 'api_pro' })).rejects.toEqual(state);
    await expect(pausePlan(world.ctx, { accountId, months: 1 })).rejects.toEqual(state);
  });

  it('stores no card number of its comment', async () => {
    const subscriber = await world.buy('pro');
    await cancelPlan(world.ctx, { ...subscriber, comment: 'Use 4242 4242 4242 4242 instead' });
    expect(await world.readCalls(subscriber)).toMatchObject([
      { request: { comment: 'Use [card number removed] instead' } },
    ]);
  });

  it('needs a subscription', async () => {
    const { accountId } = await world.subscribe('pro');
    await expect(cancelPlan(world.ctx, { accountId })).rejects.toEqual(code('no_subscription'));
  });
});

/** Opens connections, so that none of several requests waits for its own until another one has ended. */
async function openConnections(count: number): Promise<void> {
  let open = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async () => {
    open += 1;
    if (open === count) release();
    await all;
  };
  await Promise.all(Array.from({ length: count }, () => world.db.transaction().execute(hold)));
}

describe('the same change, requested several times at once', () => {
  beforeEach(() => openConnections(4));

  it('is made in turn, and each request gets the same plan', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const all = <Result>(change: () => Promise<Result>) => Promise.all(Array.from({ length: 4 }, change));
    for (const change of [
      () => cancelPlan(world.ctx, { accountId, feedback: 'unused' }),
      async () => (await resumePlan(world.ctx, { accountId })).billing,
      () => pausePlan(world.ctx, { accountId, months: 2 }),
      async () => (await resumePlan(world.ctx, { accountId })).billing,
    ]) {
      const [first, ...others] = await all(change);
      expect(others).toEqual([first, first, first]);
    }
    const made = await world.readCalls(subscriber);
    expect(made.every(({ state }) => state === 'done')).toBe(true);
    // A request that read the subscription before the change may make it again, which changes nothing.
    const kinds = made.map(({ kind }) => kind).filter((kind, index, list) => kind !== list[index - 1]);
    expect(kinds).toEqual(['cancel', 'keep', 'pause', 'clear_pause']);
  });

  it('is paid once if it is an upgrade', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const { previewId, today } = await previewChange(world.ctx, { accountId, priceId: 'api_basic' });
    const upgrade = () => changePlan(world.ctx, { accountId, priceId: 'api_basic', previewId });
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, upgrade));
    expect(first).toMatchObject({ clientSecret: null, billing: { tier: 'api_basic' } });
    expect(others).toEqual([first, first, first]);
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700 + (today?.due ?? 0), refunded: 0 });
  });

  it('fails for each with the same error', async () => {
    const subscriber = await world.buy('pro');
    await world.failRenewal(subscriber);
    const tries = await Promise.allSettled([1, 2, 3].map(() => payBill(world.ctx, subscriber.accountId)));
    for (const one of tries) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'payment_declined' } });
  });

  it('makes another change wait for its turn', async () => {
    const { accountId, subscriptionId } = await world.buy('pro');
    const proxy = await openHoldingProxy(world.stripe.double.url, `/v1/subscriptions/${subscriptionId}`, 'POST');
    onTestFinished(proxy.close);
    const payments = world.openClient(proxy.url);
    onTestFinished(payments.close);
    const pausing = pausePlan({ ...world.ctx, payments }, { accountId, months: 1 });
    await proxy.held;
    await expect(pausePlan(world.ctx, { accountId, months: 2 })).rejects.toEqual(code('billing_busy'));
    await expect(cancelPlan(world.ctx, { accountId })).rejects.toEqual(code('billing_busy'));
    proxy.release();
    await pausing;
  });
});

describe('an account whose deletion was requested', () => {
  const leave = ({ accountId }: Subscriber) =>
    world.db.updateTable('users').set({ deletesAt: new Date() }).where('id', '=', accountId).execute();

  it('keeps its plan until the end of the period, without another bill', async () => {
    const [leaving, staying] = [await world.buy('pro'), await world.buy('pro')];
    await leave(leaving);
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(1);
    expect(await readStripe(leaving)).toMatchObject({ status: 'active', cancelsAtPeriodEnd: true });
    expect(await readStripe(staying)).toMatchObject({ cancelsAtPeriodEnd: false });
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(0);
  });

  it('is not billed when the period ends before the deletion', async () => {
    const leaving = await world.buy('pro');
    await leave(leaving);
    await cancelLeavingSubscriptions(world.ctx);
    await world.advance(leaving, { until: 'period_end' });
    await world.advance(leaving, { seconds: 7 * 86_400 });
    await world.sync(leaving);
    expect(await world.readMoney(leaving)).toEqual({ paid: 700, refunded: 0 });
    expect(await readStripe(leaving)).toMatchObject({ status: 'canceled' });
  });

  it.each([
    ['is active', false],
    ['was canceled after the renewal began', true],
  ])('is not billed for a renewal that has begun, if the plan %s', async (_case, isCanceled) => {
    const leaving = await world.buy('pro');
    await world.advance(leaving, { until: 'period_end' });
    await world.sync(leaving);
    if (isCanceled) await cancelPlan(world.ctx, leaving);
    await leave(leaving);
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(1);
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(0);
    await world.advance(leaving, { seconds: 7 * 86_400 });
    await world.sync(leaving);
    expect(await world.readMoney(leaving)).toEqual({ paid: 700, refunded: 0 });
    expect(await world.readTier(leaving)).toBe('free');
  });

  it('with two subscriptions is billed for neither', async () => {
    const leaving = await world.buy('pro');
    const { accountId, customerId } = leaving;
    const second = { accountId, callId: randomUUID(), customerId, idempotencyKey: randomUUID(), collectsTax: false };
    const { subscription } = await createSubscription(world.payments, {
      ...{ ...second, priceId: await world.findPrice('api_basic') },
    });
    await world.pay(leaving);
    await world.sync(leaving);
    await leave(leaving);
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(2);
    for (const subscriptionId of [leaving.subscriptionId, subscription.id])
      expect(await readStripe({ ...leaving, subscriptionId })).toMatchObject({ cancelsAtPeriodEnd: true });
  });

  const stay = ({ accountId }: Subscriber) =>
    world.db.updateTable('users').set({ deletesAt: null }).where('id', '=', accountId).execute();

  it('renews its plan as before when it is kept, and gets no email about the plan', async () => {
    const kept = await world.buy('pro');
    await leave(kept);
    await cancelLeavingSubscriptions(world.ctx);
    expect(await reinstateKeptSubscriptions(world.ctx)).toBe(0);
    await stay(kept);
    expect(await reinstateKeptSubscriptions(world.ctx, randomUUID())).toBe(0);
    expect(await reinstateKeptSubscriptions(world.ctx, kept.accountId)).toBe(1);
    expect(await readStripe(kept)).toMatchObject({ status: 'active', cancelsAtPeriodEnd: false });
    expect(await reinstateKeptSubscriptions(world.ctx)).toBe(0);
    const mails = await world.db
      .selectFrom('billingMails')
      .select('key')
      .where('accountId', '=', kept.accountId)
      .execute();
    expect(mails.filter(({ key }) => key.startsWith('plan_canceled'))).toEqual([]);
  });

  it('renews its plan later when Stripe cannot be reached for as long as a change is tried', async () => {
    const kept = await world.buy('pro');
    await leave(kept);
    await cancelLeavingSubscriptions(world.ctx);
    await stay(kept);
    const path = `/v1/subscriptions/${kept.subscriptionId}`;
    await world.control('failures', { when: 'before', kind: 'error', times: 9, path });
    expect(await reinstateKeptSubscriptions(world.ctx)).toBe(0);
    await world.db
      .updateTable('billingCalls')
      .set({ expiresAt: new Date(0) })
      .where('accountId', '=', kept.accountId)
      .execute();
    await world.finishAll();
    expect((await world.readCalls(kept)).at(-1)).toMatchObject({ kind: 'keep', state: 'failed' });
    expect(await reinstateKeptSubscriptions(world.ctx)).toBe(1);
    expect(await readStripe(kept)).toMatchObject({ cancelsAtPeriodEnd: false });
  });

  it('keeps a cancellation that its owner had chosen before the deletion, or after the account was kept', async () => {
    const [before, after] = [await world.buy('pro'), await world.buy('pro')];
    await cancelPlan(world.ctx, before);
    for (const one of [before, after]) await leave(one);
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(1);
    for (const one of [before, after]) await stay(one);
    expect(await reinstateKeptSubscriptions(world.ctx)).toBe(1);
    await cancelPlan(world.ctx, after);
    expect(await reinstateKeptSubscriptions(world.ctx)).toBe(0);
    for (const one of [before, after]) expect(await readStripe(one)).toMatchObject({ cancelsAtPeriodEnd: true });
  });

  it('is canceled later when Stripe cannot be reached', async () => {
    const leaving = await world.buy('pro');
    await leave(leaving);
    await world.control('failures', { when: 'before', kind: 'error', times: 2, path: '/v1/subscriptions' });
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(0);
    expect(await cancelLeavingSubscriptions(world.ctx)).toBe(1);
  });
});

describe('a pause', () => {
  it('leaves out the next bills, and the plan is Free in between', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const { subscription, nextBill } = await pausePlan(world.ctx, { accountId, months: 1 });
    const end = findEndOfPause(await readStripe(subscriber), 1);
    expect(subscription?.pausedUntil).toBe(nextBill?.at);
    expect(nextBill).toMatchObject({ reason: 'pause_end', amount: 700 });
    expect(Date.parse(nextBill?.at ?? '') - Number(end)).toBe(3_600_000);
    await world.advance(subscriber, { until: 'period_end' });
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'free', nextBill: { reason: 'pause_end' } });
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 2 * 3_600 });
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'pro', subscription: { pausedUntil: null } });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 1_400, refunded: 0 });
  });

  it('is ended without a bill within the paid period', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    await pausePlan(world.ctx, { accountId, months: 3 });
    await expect(previewChange(world.ctx, { accountId, priceId: 'pro' })).rejects.toEqual(code('subscription_state'));
    const { billing } = await resumePlan(world.ctx, { accountId });
    expect(billing).toMatchObject({
      tier: 'pro',
      subscription: { pausedUntil: null },
      nextBill: { reason: 'renewal' },
    });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
  });

  it.each([
    ['the same plan', 'pro', 700],
    ['another plan', 'api_basic', 1_900],
  ] as const)('is ended after the paid period by paying for %s', async (_case, priceId, amount) => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    await pausePlan(world.ctx, { accountId, months: 2 });
    await world.advance(subscriber, { until: 'period_end' });
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'free' });
    await expect(resumePlan(world.ctx, { accountId })).rejects.toEqual(code('preview_changed'));
    const { previewId, ...quoted } = await previewChange(world.ctx, { accountId, priceId });
    expect(quoted).toMatchObject({ kind: 'resume', today: { due: amount }, next: { amount } });
    expect(await resumePlan(world.ctx, { accountId, previewId })).toMatchObject({
      clientSecret: null,
      billing: { tier: priceId, subscription: { pausedUntil: null }, nextBill: { amount } },
    });
    await resumePlan(world.ctx, { accountId, previewId });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700 + amount, refunded: 0 });
  });

  it('continues when the card for ending it is declined', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const { subscription } = await pausePlan(world.ctx, { accountId, months: 2 });
    await world.advance(subscriber, { until: 'period_end' });
    await world.sync(subscriber);
    await world.setCard(subscriber, 'pm_card_chargeCustomerFail');
    const { previewId } = await previewChange(world.ctx, { accountId, priceId: 'pro' });
    await expect(resumePlan(world.ctx, { accountId, previewId })).rejects.toEqual(code('payment_declined'));
    const after = await world.sync(subscriber);
    expect(after).toMatchObject({ tier: 'free', subscription: { pending: null }, nextBill: { reason: 'pause_end' } });
    expect(after.subscription?.pausedUntil).not.toBeNull();
    expect(subscription?.pausedUntil).not.toBeNull();
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
  });

  it('is for monthly plans, once, and without another change', async () => {
    const state = code('subscription_state');
    const pause = ({ accountId }: Subscriber) => pausePlan(world.ctx, { accountId, months: 1 });
    await expect(pause(await world.buy({ priceId: world.yearlyPriceId }))).rejects.toEqual(state);
    const subscriber = await world.buy('api_basic');
    await schedule(subscriber, 'pro');
    await expect(pause(subscriber)).rejects.toEqual(state);
    const paused = await world.buy('pro');
    await pause(paused);
    await expect(pause(paused)).rejects.toEqual(state);
  });

  it.each([
    [1, '2027-03-31T11:00:00.000Z'],
    [2, '2027-04-30T11:00:00.000Z'],
    [3, '2027-05-31T11:00:00.000Z'],
  ])('of %i months from a period that ends in February ends an hour before a period', (months, expected) => {
    const dates = { anchor: new Date('2026-12-31T12:00:00Z'), periodEnd: new Date('2027-02-28T12:00:00Z') };
    expect(findEndOfPause(dates, months).toISOString()).toBe(expected);
  });
});
