import { expect, it } from 'vitest';
import { advance, changeCard, invoiceOf, openAt, read, startSubscription, subscribe } from './billing-fixtures.ts';
import { errorOf } from './helpers.ts';

const DAY = 24 * 3600;
const frozen = Date.UTC(2025, 0, 31) / 1_000;
const february = Date.UTC(2025, 1, 28) / 1_000;

/** Opens a double with a subscription whose customer has a test clock. */
async function openClock() {
  const world = await openAt();
  const { stripe, prices } = world;
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: frozen, name: 'Renewals' });
  const customer = await stripe.customers.create({ test_clock: clock.id });
  const subscription = await subscribe(stripe, { price: prices.starter, customer: customer.id });
  const advanceTo = (frozen_time: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time });
  return { ...world, clock, customer, subscription, advanceTo };
}

it('gives objects of a customer the time of the test clock', async () => {
  const { stripe, prices, clock, customer, subscription } = await openClock();
  expect(customer).toMatchObject({ test_clock: clock.id, created: frozen });
  expect(subscription).toMatchObject({ test_clock: clock.id, created: frozen, status: 'active' });
  expect(subscription.items.data[0]?.current_period_end).toBe(february);
  expect(invoiceOf(subscription)).toMatchObject({ test_clock: clock.id, created: frozen, status: 'paid' });
  const other = await subscribe(stripe, { price: prices.starter });
  expect(other).toMatchObject({ test_clock: null, created: frozen + 730 * DAY });
  const list = async (filter: object) => (await stripe.subscriptions.list(filter)).data.map(({ id }) => id);
  expect(await list({})).toEqual([other.id]);
  expect(await list({ test_clock: clock.id })).toEqual([subscription.id]);
  expect(await list({ customer: customer.id })).toEqual([subscription.id]);
  expect((await stripe.customers.list({ test_clock: clock.id })).data).toMatchObject([{ id: customer.id }]);
  expect((await stripe.customers.list()).data).toMatchObject([{ id: other.customer }]);
});

it('lets time pass for the customers of a test clock only', async () => {
  const { stripe, prices, clock, subscription, advanceTo } = await openClock();
  const other = await subscribe(stripe, { price: prices.starter });
  expect(await advanceTo(february + 1_800)).toMatchObject({
    status: 'advancing',
    frozen_time: frozen,
    status_details: { advancing: { target_frozen_time: february + 1_800 } },
  });
  expect(await stripe.testHelpers.testClocks.retrieve(clock.id)).toMatchObject({
    status: 'ready',
    frozen_time: february + 1_800,
    status_details: {},
  });
  expect(await read(stripe, subscription.id)).toMatchObject({
    latest_invoice: { status: 'draft', created: february, automatically_finalizes_at: february + 3_600 },
  });
  await advanceTo(february + 3_600);
  expect(await read(stripe, subscription.id)).toMatchObject({
    latest_invoice: { status: 'paid', status_transitions: { paid_at: february + 3_600 } },
  });
  expect(await read(stripe, other.id)).toEqual(other);
  const { data } = await stripe.events.list({
    types: ['test_helpers.test_clock.advancing', 'test_helpers.test_clock.ready'],
  });
  expect(data.map(({ type }) => type.split('.').at(-1))).toEqual(['ready', 'advancing', 'ready', 'advancing']);
});

it('collects a failed renewal again on the time of the test clock', async () => {
  const { stripe, subscription, advanceTo } = await openClock();
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  await advanceTo(february + 3_600);
  expect(await read(stripe, subscription.id)).toMatchObject({
    status: 'past_due',
    latest_invoice: { attempt_count: 1, next_payment_attempt: february + 3_600 + DAY },
  });
  await changeCard(stripe, subscription, 'pm_card_visa');
  await advanceTo(february + 3_600 + DAY);
  expect(await read(stripe, subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
});

it('deletes the customers of a test clock with it', async () => {
  const { stripe, clock, customer, subscription } = await openClock();
  expect(await stripe.testHelpers.testClocks.del(clock.id)).toMatchObject({ deleted: true });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
  expect((await read(stripe, subscription.id)).status).toBe('canceled');
  expect((await errorOf(stripe.testHelpers.testClocks.retrieve(clock.id))).code).toBe('resource_missing');
  expect((await stripe.testHelpers.testClocks.list()).data).toEqual([]);
});

it('refuses times in the past, more than two periods at once, and more than three customers', async () => {
  const { stripe, url, prices, clock, customer, advanceTo } = await openClock();
  await startSubscription(stripe, { price: prices.yearly, customer: customer.id });
  expect((await errorOf(advanceTo(frozen))).param).toBe('frozen_time');
  expect((await errorOf(advanceTo(frozen + 60 * DAY))).param).toBe('frozen_time');
  expect((await advanceTo(frozen + 59 * DAY)).status).toBe('advancing');
  const test_clock = clock.id;
  await stripe.customers.create({ test_clock });
  await stripe.customers.create({ test_clock });
  expect((await errorOf(stripe.customers.create({ test_clock }))).param).toBe('test_clock');
  expect((await errorOf(stripe.customers.create({ test_clock: 'clock_none' }))).code).toBe('resource_missing');
  await expect(advance(url, customer.id, 1)).rejects.toThrow('test clock');
});
