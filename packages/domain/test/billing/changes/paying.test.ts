import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changeCard } from '@uprez/domain/billing/changes/change-card';
import { undoChange } from '@uprez/domain/billing/changes/change-plan';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';
import { findCustomer } from '@uprez/payments/customers';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { code, openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);

/** Confirms a card in the browser. */
async function confirmCard({ accountId }: Subscriber, card: string) {
  const { clientSecret } = await changeCard(world.ctx, accountId);
  await world.post(`setup_intents/${clientSecret.split('_secret_')[0]}/confirm`, { payment_method: card });
}

describe('while a bill is unpaid', () => {
  it('only the card, paying, and canceling work', async () => {
    const subscriber = await world.buy('pro');
    const billing = await world.failRenewal(subscriber);
    expect(billing).toMatchObject({ subscription: { badge: 'past_due' }, unpaid: { amount: 700 } });
    const { accountId } = subscriber;
    const due = code('payment_due');
    await expect(previewChange(world.ctx, { accountId, priceId: 'api_pro' })).rejects.toEqual(due);
    await expect(pausePlan(world.ctx, { accountId, months: 1 })).rejects.toEqual(due);
    await expect(resumePlan(world.ctx, { accountId })).rejects.toEqual(due);
    await expect(undoChange(world.ctx, accountId)).rejects.toEqual(due);
    expect(await changeCard(world.ctx, accountId)).toEqual({ clientSecret: expect.stringMatching(/^seti_/) });
  });

  it('a declined card keeps it unpaid, and another card pays it', async () => {
    const subscriber = await world.buy('pro');
    await world.failRenewal(subscriber);
    await expect(payBill(world.ctx, subscriber.accountId)).rejects.toEqual(code('payment_declined'));
    expect((await world.sync(subscriber)).unpaid).not.toBeNull();
    await world.setCard(subscriber, 'pm_card_visa');
    const { clientSecret, billing } = await payBill(world.ctx, subscriber.accountId);
    expect(clientSecret).toBeNull();
    expect(billing).toMatchObject({ tier: 'pro', unpaid: null, subscription: { badge: 'active' } });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 1_400, refunded: 0 });
    await expect(payBill(world.ctx, subscriber.accountId)).rejects.toEqual(code('subscription_state'));
  });

  it('3-D Secure pays it in the browser', async () => {
    const subscriber = await world.buy('pro');
    await world.failRenewal(subscriber, 'pm_card_authenticationRequired');
    const { clientSecret, billing } = await payBill(world.ctx, subscriber.accountId);
    expect(clientSecret).toMatch(/^pi_.+_secret_/);
    expect(billing.unpaid).not.toBeNull();
    await world.control(`payment_intents/${clientSecret?.split('_secret_')[0]}/authenticate`, { isPassed: true });
    expect(await world.sync(subscriber)).toMatchObject({ unpaid: null, subscription: { badge: 'active' } });
  });

  it('canceling ends the plan now, and the bill is not collected anymore', async () => {
    const subscriber = await world.buy('pro');
    await world.failRenewal(subscriber);
    const billing = await cancelPlan(world.ctx, { accountId: subscriber.accountId, feedback: 'too_expensive' });
    expect(billing).toMatchObject({ tier: 'free', subscription: null, unpaid: null });
    expect((await world.readInvoices(subscriber))[0]).toMatchObject({ status: 'void' });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
  });
});

describe('another card', () => {
  it('is used for later bills, and pays the open one', async () => {
    const subscriber = await world.buy('pro');
    await world.failRenewal(subscriber);
    await confirmCard(subscriber, 'pm_card_mastercard');
    await refreshBilling(world.ctx, subscriber);
    expect(await world.sync(subscriber)).toMatchObject({
      tier: 'pro',
      unpaid: null,
      subscription: { badge: 'active', card: { brand: 'mastercard', last4: '4444' } },
    });
    const { subscription } = await getSubscription(world.payments, subscriber.subscriptionId);
    const customer = await findCustomer(world.payments, subscriber.customerId);
    expect(customer?.paymentMethodId).toBe(subscription.paymentMethodId);
    expect(await world.readCalls(subscriber)).toMatchObject([{ kind: 'card', state: 'done' }]);
  });

  it('that is declined for the unpaid bill is kept', async () => {
    const subscriber = await world.buy('pro');
    await world.failRenewal(subscriber);
    await confirmCard(subscriber, 'pm_card_chargeCustomerFail');
    await refreshBilling(world.ctx, subscriber);
    expect((await world.sync(subscriber)).unpaid).not.toBeNull();
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'done' }]);
  });

  it('is used by the dispatcher if the customer closed the page after confirming it', async () => {
    const subscriber = await world.buy('pro');
    await confirmCard(subscriber, 'pm_card_mastercard');
    await world.finishAll();
    expect((await world.sync(subscriber)).subscription?.card).toMatchObject({ last4: '4444' });
  });

  it('changes nothing until it is confirmed, and its call ends when it expires', async () => {
    const subscriber = await world.buy('pro');
    await changeCard(world.ctx, subscriber.accountId);
    await refreshBilling(world.ctx, subscriber);
    expect((await world.sync(subscriber)).subscription?.card).toMatchObject({ last4: '4242' });
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'open', step: 'intent', leaseUntil: null }]);
    const expired = world.db.updateTable('billingCalls').set({ expiresAt: new Date() });
    await expired.where('accountId', '=', subscriber.accountId).execute();
    await world.finishAll();
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'failed' }]);
  });

  it('has the same secret on a second page, and one open call for any number of requests at once', async () => {
    const subscriber = await world.buy('pro');
    const { accountId } = subscriber;
    const first = await changeCard(world.ctx, accountId);
    const replies = await Promise.allSettled(Array.from({ length: 10 }, () => changeCard(world.ctx, accountId)));
    for (const reply of replies)
      expect(reply.status === 'fulfilled' ? reply.value : reply.reason).toEqual(
        reply.status === 'fulfilled' ? first : code('billing_busy'),
      );
    expect(await changeCard(world.ctx, accountId)).toEqual(first);
    expect(await world.readCalls(subscriber)).toMatchObject([{ kind: 'card', state: 'open' }]);
  });

  it('that was confirmed on another page is used before the next change begins', async () => {
    const subscriber = await world.buy('pro');
    await confirmCard(subscriber, 'pm_card_mastercard');
    const { clientSecret } = await changeCard(world.ctx, subscriber.accountId);
    expect(clientSecret).toMatch(/^seti_/);
    expect((await world.sync(subscriber)).subscription?.card).toMatchObject({ last4: '4444' });
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'done' }, { state: 'open' }]);
  });

  it('begins again when the open change has expired', async () => {
    const subscriber = await world.buy('pro');
    const first = await changeCard(world.ctx, subscriber.accountId);
    const expired = world.db.updateTable('billingCalls').set({ expiresAt: new Date() });
    await expired.where('accountId', '=', subscriber.accountId).execute();
    expect(await changeCard(world.ctx, subscriber.accountId)).not.toEqual(first);
    expect(await world.readCalls(subscriber)).toMatchObject([
      { state: 'failed', error: 'replaced' },
      { state: 'open' },
    ]);
  });

  it('needs a subscription', async () => {
    const { accountId } = await world.subscribe('pro');
    await expect(changeCard(world.ctx, accountId)).rejects.toEqual(code('no_subscription'));
  });
});
