import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { advance, createPrices, subscribe, upgradeTo } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

/** Schedules a downgrade as packages/payments does. */
async function scheduleDowngrade(
  stripe: Stripe,
  { id, price, interval = 'month' }: { id: string; price: string; interval?: 'month' | 'year' },
) {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const [phase] = schedule.phases;
  if (!phase) throw new Error('the schedule has no phase');
  const discounts = phase.discounts.map(({ discount }) => ({ discount: String(discount) }));
  const kept = discounts.length > 0 && { discounts };
  return stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        items: [{ price: String(phase.items[0]?.price), quantity: 1 }],
        start_date: phase.start_date,
        end_date: phase.end_date,
        proration_behavior: 'none',
        ...kept,
      },
      {
        items: [{ price, quantity: 1 }],
        duration: { interval, interval_count: 1 },
        proration_behavior: 'none',
        ...kept,
      },
    ],
    metadata: { app: 'uprez' },
  });
}

const read = (stripe: Stripe, id: string) =>
  stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'schedule', 'discounts'] });

it('downgrades at the end of the period, and releases the subscription one period later', async () => {
  const { double, stripe } = await openStripe();
  const prices = await createPrices(stripe);
  const { id, customer, items } = await subscribe(stripe, { price: prices.pro });
  const schedule = await scheduleDowngrade(stripe, { id, price: prices.starter });
  expect(schedule).toMatchObject({
    status: 'active',
    subscription: id,
    phases: [{ end_date: items.data[0]?.current_period_end }, { start_date: items.data[0]?.current_period_end }],
  });
  expect((await stripe.invoices.createPreview({ subscription: id })).amount_due).toBe(700);
  expect((await read(stripe, id)).items.data[0]?.price.id).toBe(prices.pro);
  await advance(double.url, customer, 'period_end');
  const downgraded = await read(stripe, id);
  expect(downgraded).toMatchObject({ latest_invoice: { total: 700 }, schedule: { id: schedule.id, status: 'active' } });
  expect(downgraded.items.data[0]?.price.id).toBe(prices.starter);
  await advance(double.url, customer, 'period_end');
  expect(await read(stripe, id)).toMatchObject({ status: 'active', schedule: null, latest_invoice: { total: 700 } });
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'released',
    released_subscription: id,
  });
});

it('starts a new cycle when the interval changes, and keeps the discounts that phases name', async () => {
  const now = Date.UTC(2027, 0, 31) / 1_000;
  const clock = { now };
  const { stripe } = await openStripe({ now: () => clock.now });
  const prices = await createPrices(stripe);
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  const { id } = await subscribe(stripe, { price: prices.yearly, discounts: [{ coupon: coupon.id }] });
  await scheduleDowngrade(stripe, { id, price: prices.pro });
  clock.now = Date.UTC(2028, 0, 31) / 1_000;
  const changed = await read(stripe, id);
  expect(changed).toMatchObject({
    billing_cycle_anchor: clock.now,
    discounts: [{ source: { coupon: coupon.id } }],
    latest_invoice: { subtotal: 1_900, total: 1_710 },
  });
  expect(changed.items.data[0]?.current_period_end).toBe(Date.UTC(2028, 1, 29) / 1_000);
});

it('undoes a downgrade, and refuses other changes until then', async () => {
  const { double, stripe } = await openStripe();
  const prices = await createPrices(stripe);
  const subscription = await subscribe(stripe, { price: prices.pro });
  const { id, customer } = subscription;
  const schedule = await scheduleDowngrade(stripe, { id, price: prices.starter });
  expect(await errorOf(stripe.subscriptionSchedules.create({ from_subscription: id }))).toMatchObject({
    param: 'from_subscription',
  });
  expect(await errorOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }))).toMatchObject({
    statusCode: 400,
  });
  const upgrade = { ...upgradeTo(subscription, prices.yearly), payment_behavior: 'pending_if_incomplete' as const };
  expect(await errorOf(stripe.subscriptions.update(id, upgrade))).toMatchObject({ statusCode: 400 });
  expect(await stripe.subscriptionSchedules.release(schedule.id)).toMatchObject({ status: 'released' });
  expect(await errorOf(stripe.subscriptionSchedules.release(schedule.id))).toMatchObject({ statusCode: 400 });
  await advance(double.url, customer, 'period_end');
  const kept = await read(stripe, id);
  expect(kept).toMatchObject({ schedule: null, latest_invoice: { total: 1_900 } });
  const types = await stripe.events.list({ type: 'subscription_schedule.*' });
  expect(types.data.map(({ type }) => type)).toEqual([
    'subscription_schedule.released',
    'subscription_schedule.updated',
    'subscription_schedule.created',
  ]);
});

it('cancels the schedule of a subscription that is canceled', async () => {
  const { stripe } = await openStripe();
  const prices = await createPrices(stripe);
  const { id } = await subscribe(stripe, { price: prices.pro });
  const schedule = await scheduleDowngrade(stripe, { id, price: prices.starter });
  await stripe.subscriptions.cancel(id);
  expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('canceled');
});

it('lists the payment methods of the account, and no disputes', async () => {
  const { stripe } = await openStripe();
  const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 });
  expect(data).toMatchObject([{ is_default: true, active: true, card: { display_preference: { value: 'on' } } }]);
  expect((await stripe.disputes.list({ payment_intent: 'pi_none' })).data).toEqual([]);
});
