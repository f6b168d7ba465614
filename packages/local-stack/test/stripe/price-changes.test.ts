import { expect, it } from 'vitest';
import { changeCard, createPrices, intentOf, invoiceOf, subscribe, upgradeTo } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

const DAY = 24 * 3600;
const start = Date.UTC(2027, 3, 1) / 1_000;

/** A double at a time that the test sets. */
async function openAt() {
  const clock = { now: start };
  const { double, stripe } = await openStripe({ now: () => clock.now });
  return { clock, double, stripe, prices: await createPrices(stripe) };
}

it('upgrades to the second: the full price less the unused time, as in the preview', async () => {
  const { clock, stripe, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  // April has 30 days. A third of it is used.
  clock.now = start + 10 * DAY;
  const change = { ...upgradeTo(subscription, prices.pro), proration_date: clock.now };
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: change });
  expect(preview).toMatchObject({ amount_due: 1_900 - 467, status: 'draft', number: null });
  expect(preview.id).toMatch(/^upcoming_in_/);
  clock.now += 60;
  const upgraded = await stripe.subscriptions.update(subscription.id, {
    ...change,
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
  });
  expect(upgraded).toMatchObject({
    status: 'active',
    pending_update: null,
    billing_cycle_anchor: clock.now,
    latest_invoice: { status: 'paid', billing_reason: 'subscription_update', amount_paid: 1_433 },
  });
  expect(upgraded.items.data).toMatchObject([
    { price: { id: prices.pro }, current_period_start: clock.now, current_period_end: clock.now + 30 * DAY },
  ]);
  expect(invoiceOf(upgraded).lines.data).toMatchObject([
    {
      amount: -467,
      description: 'Unused time on Starter after 11 Apr 2027',
      period: { start: change.proration_date, end: start + 30 * DAY },
      parent: { subscription_item_details: { proration: true } },
    },
    { amount: 1_900, parent: { subscription_item_details: { proration: false } } },
  ]);
});

it('gives back what was paid, not what the price is', async () => {
  const { clock, stripe, prices } = await openAt();
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'forever' });
  const discounts = [{ coupon: coupon.id }];
  const subscription = await subscribe(stripe, { price: prices.starter, discounts });
  clock.now = start + 15 * DAY;
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: upgradeTo(subscription, prices.pro),
  });
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-175, 1_900]);
  expect(preview).toMatchObject({ subtotal: 1_725, total: 775, total_discount_amounts: [{ amount: 950 }] });
});

it('keeps the price when the card is declined, and changes it when the invoice is paid', async () => {
  const { clock, stripe, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  clock.now = start + DAY;
  const change = { ...upgradeTo(subscription, prices.pro), payment_behavior: 'pending_if_incomplete' as const };
  const pending = await stripe.subscriptions.update(subscription.id, { ...change, expand: ['latest_invoice'] });
  expect(pending).toMatchObject({
    status: 'active',
    pending_update: { expires_at: clock.now + 23 * 3600, subscription_items: [{ price: { id: prices.pro } }] },
    latest_invoice: { status: 'open', attempt_count: 1 },
  });
  expect(pending.items.data[0]).toMatchObject({ price: { id: prices.starter }, current_period_start: start });
  // The same change again replaces the first one.
  const again = await stripe.subscriptions.update(subscription.id, { ...change, expand: ['latest_invoice'] });
  expect((await stripe.invoices.retrieve(invoiceOf(pending).id)).status).toBe('void');
  expect(invoiceOf(again).amount_due).toBe(invoiceOf(pending).amount_due);
  clock.now += 3600;
  await stripe.paymentIntents.confirm(await intentOf(stripe, invoiceOf(again).id), { payment_method: 'pm_card_visa' });
  const changed = await stripe.subscriptions.retrieve(subscription.id);
  expect(changed).toMatchObject({ pending_update: null, billing_cycle_anchor: start + DAY });
  expect(changed.items.data[0]?.price.id).toBe(prices.pro);
  const applied = await stripe.events.list({ type: 'customer.subscription.pending_update_applied' });
  expect(applied.data).toHaveLength(1);
});

it('drops a pending update when its invoice is voided', async () => {
  const { stripe, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_authenticationRequired');
  const pending = await stripe.subscriptions.update(subscription.id, {
    ...upgradeTo(subscription, prices.pro),
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice.confirmation_secret'],
  });
  expect(pending.pending_update).not.toBeNull();
  const intent = await intentOf(stripe, invoiceOf(pending).id);
  expect((await stripe.paymentIntents.retrieve(intent)).status).toBe('requires_action');
  await stripe.invoices.voidInvoice(invoiceOf(pending).id);
  const kept = await stripe.subscriptions.retrieve(subscription.id);
  expect(kept).toMatchObject({ status: 'active', pending_update: null });
  expect(kept.items.data[0]?.price.id).toBe(prices.starter);
});

it('starts a paid period without credit, and turns a rest into credit of the customer', async () => {
  const { clock, stripe, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.yearly });
  clock.now = start + DAY;
  const none = { ...upgradeTo(subscription, prices.pro), proration_behavior: 'none' as const };
  const restart = await stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: none });
  expect(restart.amount_due).toBe(1_900);
  const changed = await stripe.subscriptions.update(subscription.id, {
    ...upgradeTo(subscription, prices.pro),
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  });
  const credit = Math.round((19_000 * 365) / 366);
  expect(changed.pending_update).toBeNull();
  expect(invoiceOf(changed)).toMatchObject({ status: 'paid', amount_due: 0, starting_balance: 0 });
  const balance = 1_900 - credit;
  expect(invoiceOf(changed).ending_balance).toBe(balance);
  const customer = await stripe.customers.retrieve(String(subscription.customer));
  expect(customer).toMatchObject({ balance });
});

it('refuses other changes together with a price, and dates outside the period', async () => {
  const { stripe, prices } = await openAt();
  const subscription = await subscribe(stripe, { price: prices.starter });
  const change = { ...upgradeTo(subscription, prices.pro), payment_behavior: 'pending_if_incomplete' as const };
  const update = (params: object) => errorOf(stripe.subscriptions.update(subscription.id, { ...change, ...params }));
  expect(await update({ metadata: { a: '1' } })).toMatchObject({ code: 'not_served_by_double', param: 'metadata' });
  expect(await update({ pause_collection: '' })).toMatchObject({ statusCode: 400, param: 'pause_collection' });
  expect(await update({ proration_date: start - 1 })).toMatchObject({ param: 'proration_date' });
  expect(await update({ items: [{ price: prices.pro }] })).toMatchObject({ param: 'items[0][id]' });
  expect(await update({ proration_behavior: 'create_prorations' })).toMatchObject({ code: 'not_served_by_double' });
});
