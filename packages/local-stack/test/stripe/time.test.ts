import type Stripe from 'stripe';
import { expect, it, vi } from 'vitest';
import {
  advance,
  changeCard,
  control,
  intentOf,
  invoiceOf,
  openAt,
  read,
  start,
  startSubscription,
  subscribe,
  upgradeTo,
} from './billing-fixtures.ts';
import { openReceiver } from './helpers.ts';

const HOUR = 1 / 24;
const at = (month: number, day: number) => Date.UTC(2027, month - 1, day) / 1_000;

const periodOf = ({ items }: Stripe.Subscription) => [
  items.data[0]?.current_period_start,
  items.data[0]?.current_period_end,
];

it('renews with a draft of one hour, then collects it, on the day of the anchor', async () => {
  const { clock, stripe, prices } = await openAt();
  const { id } = await subscribe(stripe, { price: prices.starter });
  clock.now = at(2, 28);
  const renewed = await read(stripe, id);
  expect(periodOf(renewed)).toEqual([at(2, 28), at(3, 31)]);
  expect(renewed).toMatchObject({
    status: 'active',
    latest_invoice: {
      status: 'draft',
      billing_reason: 'subscription_cycle',
      number: null,
      automatically_finalizes_at: at(2, 28) + 3600,
      period_start: start,
      period_end: at(2, 28),
    },
  });
  clock.now += 3600;
  expect(await read(stripe, id)).toMatchObject({
    latest_invoice: { status: 'paid', amount_paid: 700, attempt_count: 1, number: expect.stringMatching(/-0002$/) },
  });
});

it('catches up after a long time, each step as of its time', async () => {
  const { clock, stripe, prices } = await openAt();
  const { id, customer } = await subscribe(stripe, { price: prices.starter });
  clock.now = at(6, 10);
  expect(periodOf(await read(stripe, id))).toEqual([at(5, 31), at(6, 30)]);
  const { data } = await stripe.invoices.list({ customer: String(customer) });
  expect(data.map(({ created }) => created)).toEqual([at(5, 31), at(4, 30), at(3, 31), at(2, 28), start]);
  expect(data.map(({ status_transitions: { paid_at: paid } }) => paid).slice(0, 1)).toEqual([at(5, 31) + 3600]);
});

it('lets time pass for one customer, whose times move back', async () => {
  const { stripe, url, prices } = await openAt();
  const other = await subscribe(stripe, { price: prices.starter });
  const { id, customer } = await subscribe(stripe, { price: prices.starter });
  expect(await advance(url, customer, 10)).toBe(10 * 24 * 3600);
  const announced = await stripe.events.list({ type: 'customer.updated', limit: 1 });
  expect(announced.data[0]?.data.object).toMatchObject({ id: customer });
  const moved = await read(stripe, id);
  expect(periodOf(moved)).toEqual([start - 10 * 24 * 3600, at(2, 28) - 10 * 24 * 3600]);
  expect(periodOf(await read(stripe, other.id))).toEqual(periodOf(other));
  // The months of the customer keep their lengths: 31 days follow on February 28.
  await advance(url, customer, 'period_end');
  expect(periodOf(await read(stripe, id))).toEqual([start, start + 31 * 24 * 3600]);
  await advance(url, customer, HOUR);
  expect(await read(stripe, id)).toMatchObject({ latest_invoice: { status: 'paid', created: start - 3600 } });
});

it('moves all times of a customer by the same amount', async () => {
  const { stripe, url, prices } = await openAt();
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'repeating', duration_in_months: 3 });
  const subscription = await subscribe(stripe, { price: prices.pro, discounts: [{ coupon: coupon.id }] });
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  const change = { ...upgradeTo(subscription, prices.yearly), payment_behavior: 'pending_if_incomplete' as const };
  await stripe.subscriptions.update(subscription.id, change);
  await stripe.setupIntents.create({ customer: String(subscription.customer) });
  const customer = String(subscription.customer);
  const readAll = async () =>
    JSON.stringify([
      await stripe.customers.retrieve(customer),
      await stripe.subscriptions.retrieve(subscription.id, { expand: ['discounts', 'default_payment_method'] }),
      (await stripe.invoices.list({ customer, expand: ['data.payments'] })).data,
      (await stripe.paymentIntents.list({ customer, expand: ['data.latest_charge'] })).data,
    ]);
  const before = await readAll();
  await advance(url, customer, 0.5);
  const isOfCatalog = (text: string) => text.replaceAll(/"(plan|price)":\{"id":.*?"created":\d+/g, '');
  const times = (text: string) => (isOfCatalog(text).match(/\b1[89]\d{8}\b/g) ?? []).map(Number);
  expect(times(before).length).toBeGreaterThan(40);
  expect(times(await readAll())).toEqual(times(before).map((time) => time - 12 * 3600));
});

it('becomes past due when a renewal fails, and active when it is paid', async () => {
  const { stripe, url, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  await advance(url, subscription.customer, 'period_end');
  await advance(url, subscription.customer, HOUR);
  const pastDue = await read(stripe, subscription.id);
  expect(pastDue).toMatchObject({
    status: 'past_due',
    latest_invoice: { status: 'open', attempt_count: 1, next_payment_attempt: start + 24 * 3600 },
  });
  const types = await stripe.events.list({ limit: 2 });
  expect(types.data.map(({ type }) => type)).toEqual(['customer.subscription.updated', 'invoice.payment_failed']);
  await stripe.invoices.pay(invoiceOf(pastDue).id, { payment_method: 'pm_card_mastercard' });
  expect(await read(stripe, subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
});

it('asks for 3-D Secure in a renewal', async () => {
  const { stripe, url, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_authenticationRequired');
  await advance(url, subscription.customer, 'period_end');
  await advance(url, subscription.customer, HOUR);
  const pastDue = await read(stripe, subscription.id);
  expect(pastDue.status).toBe('past_due');
  expect((await stripe.events.list({ type: 'invoice.payment_action_required' })).data).toHaveLength(1);
  const intent = await intentOf(stripe, invoiceOf(pastDue).id);
  await control(`${url}/_control/payment_intents/${intent}/authenticate`, { isPassed: true });
  expect(await read(stripe, subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
});

it('expires an incomplete subscription after 23 hours', async () => {
  const { stripe, url, prices } = await openAt();
  const started = await startSubscription(stripe, { price: prices.starter });
  await advance(url, started.customer, 23 * HOUR - 1 / 86_400);
  expect((await read(stripe, started.id)).status).toBe('incomplete');
  await advance(url, started.customer, 1 / 86_400);
  expect(await read(stripe, started.id)).toMatchObject({
    status: 'incomplete_expired',
    latest_invoice: { status: 'void' },
  });
});

it('expires a pending update after 23 hours', async () => {
  const { stripe, url, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  const change = { ...upgradeTo(subscription, prices.pro), payment_behavior: 'pending_if_incomplete' as const };
  await stripe.subscriptions.update(subscription.id, change);
  await advance(url, subscription.customer, 23 * HOUR);
  const kept = await read(stripe, subscription.id);
  expect(kept).toMatchObject({ status: 'active', pending_update: null, latest_invoice: { status: 'void' } });
  expect(kept.items.data[0]?.price.id).toBe(prices.starter);
  const expired = await stripe.events.list({ type: 'customer.subscription.pending_update_expired' });
  expect(expired.data).toHaveLength(1);
});

it('expires a pending update at the end of the period', async () => {
  const { clock, stripe, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  clock.now = at(2, 28) - 3600;
  const change = { ...upgradeTo(subscription, prices.pro), payment_behavior: 'pending_if_incomplete' as const };
  const { latest_invoice: unpaid } = await stripe.subscriptions.update(subscription.id, change);
  clock.now = at(2, 28);
  const renewed = await read(stripe, subscription.id);
  expect(renewed).toMatchObject({ pending_update: null, latest_invoice: { status: 'draft', total: 700 } });
  expect((await stripe.invoices.retrieve(String(unpaid))).status).toBe('void');
});

it('ends at the end of the period when it was canceled', async () => {
  const { stripe, url, prices } = await openAt();
  const { id, customer } = await subscribe(stripe, { price: prices.starter });
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await advance(url, customer, 'period_end');
  expect(await read(stripe, id)).toMatchObject({ status: 'canceled', ended_at: start });
  await advance(url, customer, 60);
  expect((await stripe.invoices.list({ customer: String(customer) })).data).toHaveLength(1);
});

it('voids the invoices of a pause, and collects again after it', async () => {
  const { stripe, url, prices } = await openAt();
  const { id, customer } = await subscribe(stripe, { price: prices.starter });
  const resumesAt = at(3, 31) - 3600;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: resumesAt } });
  await advance(url, customer, 'period_end');
  expect(await read(stripe, id)).toMatchObject({ status: 'active', latest_invoice: { status: 'void' } });
  await advance(url, customer, 'period_end');
  await advance(url, customer, HOUR);
  expect(await read(stripe, id)).toMatchObject({ pause_collection: null, latest_invoice: { status: 'paid' } });
});

it('applies coupons once, for months, and forever', async () => {
  const { stripe, url, prices } = await openAt();
  const totals = async (duration: 'once' | 'repeating' | 'forever') => {
    const months = duration === 'repeating' && { duration_in_months: 2 };
    const coupon = await stripe.coupons.create({ percent_off: 50, duration, ...months });
    const discounts = [{ coupon: coupon.id }];
    const { customer } = await subscribe(stripe, { price: prices.starter, discounts });
    await stripe.coupons.del(coupon.id);
    for (let period = 0; period < 2; period += 1) await advance(url, customer, 'period_end');
    await advance(url, customer, HOUR);
    const { data } = await stripe.invoices.list({ customer: String(customer) });
    return data.map(({ total }) => total).reverse();
  };
  expect(await totals('once')).toEqual([350, 700, 700]);
  expect(await totals('repeating')).toEqual([350, 350, 700]);
  expect(await totals('forever')).toEqual([350, 350, 350]);
});

it('renews without a call, and delivers the events', async () => {
  const { clock, stripe, prices } = await openAt();
  await subscribe(stripe, { price: prices.starter });
  const { events } = await openReceiver(stripe);
  clock.now = at(2, 28) + 3600;
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain('invoice.paid'), { timeout: 60_000 });
  // Events happen when the double runs what is due. The times of objects are those of the calendar.
  expect(events.every(({ created }) => created === clock.now)).toBe(true);
  const created = events.find(({ type }) => type === 'invoice.created');
  expect(created?.data.object).toMatchObject({ created: at(2, 28), status: 'draft' });
});
