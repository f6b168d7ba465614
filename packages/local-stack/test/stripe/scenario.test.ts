import { createCheckoutSession, expireCheckoutSession, getCheckoutSession } from '@uprez/payments/checkout-sessions';
import { getInvoice, listInvoices, payInvoice, voidInvoice } from '@uprez/payments/invoices';
import type { Payments } from '@uprez/payments/open-payments';
import { getPayment } from '@uprez/payments/payment-intents';
import { createSetupIntent, getSetupIntent, listEnabledMethods } from '@uprez/payments/payment-methods';
import { previewRenewal, previewRestart, previewSubscription, previewUpgrade } from '@uprez/payments/previews';
import { createRefund, listDisputes, listRefunds } from '@uprez/payments/refunds';
import {
  cancelAtPeriodEnd,
  cancelNow,
  clearPause,
  keepSubscription,
  pauseSubscription,
  restartBillingCycle,
  setPaymentMethod,
  upgradeSubscription,
} from '@uprez/payments/subscription-changes';
import { createSchedule, releaseSchedule, setNextPrice } from '@uprez/payments/subscription-schedules';
import { createSubscription, getSubscription, listSubscriptions } from '@uprez/payments/subscriptions';
import { expect, vi } from 'vitest';
import { buy, confirm, createCode, createPlan, key, openClock, origin, scenario } from './open-scenario.ts';

/** Reads a subscription until it has a status: a sandbox needs a moment after a payment. */
const whenStatus = (payments: Payments, id: string, status: string) =>
  vi.waitFor(
    async () => {
      const { subscription } = await getSubscription(payments, id);
      expect(subscription.status).toBe(status);
      return subscription;
    },
    { timeout: 20_000, interval: 500 },
  );

scenario('previews, buys, and lists a subscription with a promotion code', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const { id: priceId } = await createPlan(payments, 700);
  const { couponId, promotionCodeId } = await createCode(payments);
  const input = { customerId, priceId, promotionCodeId };
  const preview = await previewSubscription(payments, { ...key(), ...input, collectsTax: false });
  expect(preview).toMatchObject({ subtotal: 700, discount: 140, total: 560, number: null });
  const { id } = await buy({ payments, browser, ...input });
  const active = await whenStatus(payments, id, 'active');
  expect(active).toMatchObject({ discounts: [{ couponId }], card: { last4: '4242' }, accountId: 'scenario' });
  expect((await listSubscriptions(payments, { customerId })).items).toMatchObject([{ id, status: 'active' }]);
  const [invoice] = (await listInvoices(payments, { customerId })).items;
  expect(invoice).toMatchObject({ status: 'paid', paid: 560, reason: 'subscription_create', subscriptionId: id });
  expect(await previewRenewal(payments, { ...key(), subscriptionId: id })).toMatchObject({ total: 560 });
});

scenario('refunds a payment in parts, and not more than the rest', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const { id: priceId } = await createPlan(payments, 700);
  await buy({ payments, browser, customerId, priceId });
  const [invoice] = (await listInvoices(payments, { customerId })).items;
  const [paymentIntentId = ''] = invoice?.paymentIntentIds ?? [];
  await createRefund(payments, { ...key(), ...origin, paymentIntentId, amount: 300 });
  const tooMuch = createRefund(payments, { ...key(), ...origin, paymentIntentId, amount: 401 });
  await expect(tooMuch).rejects.toMatchObject({ kind: 'invalid_request' });
  expect(await getPayment(payments, paymentIntentId)).toMatchObject({ status: 'succeeded', refunded: 300 });
  expect((await listRefunds(payments, { paymentIntentId })).items).toMatchObject([
    { amount: 300, status: 'succeeded' },
  ]);
  expect((await listDisputes(payments, { paymentIntentId })).items).toEqual([]);
});

scenario('charges an upgrade as its preview says, and starts a new period', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const cheap = await createPlan(payments, 700);
  const dear = await createPlan(payments, 1_900);
  const { id: subscriptionId } = await buy({ payments, browser, customerId, priceId: cheap.id });
  const { itemId, periodStart } = await whenStatus(payments, subscriptionId, 'active');
  const change = { subscriptionId, itemId, priceId: dear.id, prorationDate: new Date(periodStart.getTime() + 1_000) };
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(periodStart.getTime() + 2_000), { timeout: 5_000 });
  const preview = await previewUpgrade(payments, { ...key(), ...change });
  expect(preview.lines.map(({ isProration }) => isProration)).toEqual([true, false]);
  const { subscription, clientSecret } = await upgradeSubscription(payments, { ...key(), ...change });
  expect(clientSecret).toBeNull();
  expect(subscription).toMatchObject({ price: { id: dear.id }, pending: null });
  const { invoice } = await getInvoice(payments, subscription.latestInvoiceId ?? '');
  expect(invoice).toMatchObject({ status: 'paid', due: preview.due, reason: 'subscription_update' });
});

scenario(
  'charges an upgrade with a promotion code as its preview says, and keeps no discount of one that is not paid',
  async (openScenario) => {
    const { payments, browser, customerId } = await openScenario();
    const cheap = await createPlan(payments, 700);
    const dear = await createPlan(payments, 1_900);
    const promotionCodeId = (await createCode(payments)).promotionCodeId;
    const { id: subscriptionId } = await buy({ payments, browser, customerId, priceId: cheap.id });
    const { itemId, paymentMethodId } = await whenStatus(payments, subscriptionId, 'active');
    const code = { promotionCodeId, keptDiscountIds: [] };
    const change = { subscriptionId, itemId, priceId: dear.id, code };
    const declined = await browser.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId });
    await setPaymentMethod(payments, { ...key(), subscriptionId, paymentMethodId: declined.id });
    const { subscription: pending } = await restartBillingCycle(payments, { ...key(), ...change });
    expect(pending).toMatchObject({ price: { id: cheap.id }, discounts: [], pending: { priceId: dear.id } });
    await voidInvoice(payments, { ...key(), invoiceId: pending.latestInvoiceId ?? '' });
    const { subscription: kept } = await getSubscription(payments, subscriptionId);
    expect(kept).toMatchObject({ price: { id: cheap.id }, discounts: [], pending: null });
    await setPaymentMethod(payments, { ...key(), subscriptionId, paymentMethodId: paymentMethodId ?? '' });
    const preview = await previewRestart(payments, { ...key(), ...change });
    expect(preview).toMatchObject({ subtotal: 1_900, discount: 380, total: 1_520 });
    const { subscription } = await restartBillingCycle(payments, { ...key(), ...change });
    const { invoice } = await getInvoice(payments, subscription.latestInvoiceId ?? '');
    expect(invoice).toMatchObject({ status: 'paid', discount: 380, due: preview.due });
    expect((await getSubscription(payments, subscriptionId)).subscription.discounts).toHaveLength(1);
    expect(await previewRenewal(payments, { ...key(), subscriptionId })).toMatchObject({ total: 1_520 });
  },
);

scenario('keeps the price while an upgrade is not paid', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const cheap = await createPlan(payments, 700);
  const dear = await createPlan(payments, 1_900);
  const { id: subscriptionId } = await buy({ payments, browser, customerId, priceId: cheap.id });
  const { itemId } = await whenStatus(payments, subscriptionId, 'active');
  const declined = await browser.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId });
  await setPaymentMethod(payments, { ...key(), subscriptionId, paymentMethodId: declined.id });
  const change = { subscriptionId, itemId, priceId: dear.id };
  const first = await restartBillingCycle(payments, { ...key(), ...change });
  expect(first.subscription).toMatchObject({ price: { id: cheap.id }, pending: { priceId: dear.id } });
  await voidInvoice(payments, { ...key(), invoiceId: first.subscription.latestInvoiceId ?? '' });
  expect((await getSubscription(payments, subscriptionId)).subscription.pending).toBeNull();
  const second = await restartBillingCycle(payments, { ...key(), ...change });
  await confirm(browser, second.clientSecret?.value ?? '');
  await vi.waitFor(
    async () => {
      const { subscription } = await getSubscription(payments, subscriptionId);
      expect(subscription).toMatchObject({ price: { id: dear.id }, pending: null });
    },
    { timeout: 20_000, interval: 500 },
  );
});

scenario('schedules a downgrade, and undoes it', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const cheap = await createPlan(payments, 700);
  const dear = await createPlan(payments, 1_900);
  const { id: subscriptionId } = await buy({ payments, browser, customerId, priceId: dear.id });
  const { periodEnd } = await whenStatus(payments, subscriptionId, 'active');
  const { id, currentPhase } = await createSchedule(payments, { ...key(), subscriptionId });
  if (!currentPhase) throw new Error('the schedule has no current phase');
  const next = { schedule: { id, currentPhase }, nextPriceId: cheap.id, nextInterval: 'month' } as const;
  expect(await setNextPrice(payments, { ...key(), ...next })).toMatchObject({
    status: 'active',
    nextPhase: { priceId: cheap.id, startsAt: periodEnd },
  });
  expect(await previewRenewal(payments, { ...key(), subscriptionId })).toMatchObject({ total: 700 });
  const { subscription } = await getSubscription(payments, subscriptionId);
  expect(subscription).toMatchObject({ scheduleId: id, next: { priceId: cheap.id } });
  const refused = cancelAtPeriodEnd(payments, { ...key(), subscriptionId });
  await expect(refused).rejects.toMatchObject({ kind: 'invalid_request' });
  await releaseSchedule(payments, { ...key(), scheduleId: id });
  expect(await previewRenewal(payments, { ...key(), subscriptionId })).toMatchObject({ total: 1_900 });
});

scenario('cancels at the end of the period, keeps, pauses, resumes, and ends', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const { id: priceId } = await createPlan(payments, 700);
  const { id: subscriptionId } = await buy({ payments, browser, customerId, priceId });
  const { periodEnd } = await whenStatus(payments, subscriptionId, 'active');
  const input = { ...key(), subscriptionId };
  const canceled = await cancelAtPeriodEnd(payments, { ...input, feedback: 'unused' });
  expect(canceled).toMatchObject({ cancelsAtPeriodEnd: true, cancelAt: periodEnd, cancelFeedback: 'unused' });
  const kept = await keepSubscription(payments, { ...key(), subscriptionId });
  expect(kept).toMatchObject({ cancelsAtPeriodEnd: false, cancelAt: null, cancelFeedback: null });
  const resumesAt = new Date(periodEnd.getTime() + 3_600_000);
  const paused = await pauseSubscription(payments, { ...key(), subscriptionId, resumesAt });
  expect(paused).toMatchObject({ status: 'active', isPaused: true, pausedUntil: resumesAt });
  expect(await clearPause(payments, { ...key(), subscriptionId })).toMatchObject({ isPaused: false });
  expect(await cancelNow(payments, { subscriptionId })).toMatchObject({ status: 'canceled' });
  await expect(cancelNow(payments, { subscriptionId })).rejects.toMatchObject({ kind: 'not_found' });
});

scenario('ends a subscription that was never paid', async (openScenario) => {
  const { payments, customerId } = await openScenario();
  const { id: priceId } = await createPlan(payments, 700);
  const input = { ...key(), ...origin, customerId, priceId, collectsTax: false };
  const { subscription } = await createSubscription(payments, input);
  expect(subscription.status).toBe('incomplete');
  const again = await createSubscription(payments, input);
  expect(again.subscription.id).toBe(subscription.id);
  expect(await cancelNow(payments, { subscriptionId: subscription.id })).toMatchObject({
    status: 'incomplete_expired',
  });
});

/** Longer than Stripe leaves the invoice of a renewal in draft. */
const afterDraft = (time: Date) => new Date(time.getTime() + 2 * 3_600_000);
const sandboxMs = 240_000;

scenario(
  'renews a subscription when its period ends',
  async (openScenario) => {
    const { payments, browser } = await openScenario();
    const { customerId, advance } = await openClock(browser);
    const { id: priceId } = await createPlan(payments, 700);
    const { id } = await buy({ payments, browser, customerId, priceId });
    const { periodEnd } = await whenStatus(payments, id, 'active');
    await advance(afterDraft(periodEnd));
    const renewed = await whenStatus(payments, id, 'active');
    expect(renewed.periodStart).toEqual(periodEnd);
    const [renewal, first] = (await listInvoices(payments, { customerId })).items;
    expect(renewal).toMatchObject({ status: 'paid', paid: 700, reason: 'subscription_cycle', subscriptionId: id });
    expect(renewal?.lines).toMatchObject([{ amount: 700, period: { start: periodEnd, end: renewed.periodEnd } }]);
    expect(first).toMatchObject({ status: 'paid', reason: 'subscription_create' });
  },
  sandboxMs,
);

scenario(
  'is past due while a renewal is declined, until it is paid with another card',
  async (openScenario) => {
    const { payments, browser } = await openScenario();
    const { customerId, advance } = await openClock(browser);
    const { id: priceId } = await createPlan(payments, 700);
    const { id: subscriptionId } = await buy({ payments, browser, customerId, priceId });
    const { periodEnd } = await whenStatus(payments, subscriptionId, 'active');
    const declined = await browser.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId });
    await setPaymentMethod(payments, { ...key(), subscriptionId, paymentMethodId: declined.id });
    await advance(afterDraft(periodEnd));
    const { latestInvoiceId } = await whenStatus(payments, subscriptionId, 'past_due');
    const invoiceId = latestInvoiceId ?? '';
    const { invoice } = await getInvoice(payments, invoiceId);
    // Accounts without retries leave the next attempt to the dispatcher.
    expect(invoice).toMatchObject({ status: 'open', due: 700, attempts: 1, reason: 'subscription_cycle' });
    await expect(payInvoice(payments, { ...key(), invoiceId })).rejects.toMatchObject({ kind: 'card_declined' });
    const card = await browser.paymentMethods.attach('pm_card_visa', { customer: customerId });
    await setPaymentMethod(payments, { ...key(), subscriptionId, paymentMethodId: card.id });
    expect(await payInvoice(payments, { ...key(), invoiceId })).toMatchObject({ status: 'paid', paid: 700 });
    await whenStatus(payments, subscriptionId, 'active');
  },
  sandboxMs,
);

scenario('saves another card', async (openScenario) => {
  const { payments, browser, customerId } = await openScenario();
  const intent = await createSetupIntent(payments, { ...key(), ...origin, customerId });
  expect(intent).toMatchObject({ status: 'requires_payment_method', clientSecret: expect.any(String) });
  await browser.setupIntents.confirm(intent.id, {
    payment_method: 'pm_card_mastercard',
    return_url: 'https://example.com',
  });
  expect(await getSetupIntent(payments, intent.id)).toMatchObject({ status: 'succeeded', customerId });
  expect(await listEnabledMethods(payments)).toContain('card');
});

scenario('starts a purchase on the hosted page, and expires it', async (openScenario) => {
  const { payments, customerId } = await openScenario();
  const { id: priceId } = await createPlan(payments, 700);
  const session = await createCheckoutSession(payments, {
    ...key(),
    ...origin,
    mode: 'subscription',
    customerId,
    priceId,
    publicUrl: 'https://example.com',
    collectsTax: false,
  });
  expect(session).toMatchObject({ status: 'open', total: 700, url: expect.stringMatching(/^https?:/) });
  const expired = await expireCheckoutSession(payments, { ...key(), sessionId: session.id });
  expect(expired).toMatchObject({ status: 'expired' });
  expect(await getCheckoutSession(payments, session.id)).toMatchObject({ status: 'expired', url: null });
});
