import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import {
  advance,
  changeCard,
  createPrices,
  eventTypes,
  intentOf,
  invoiceOf,
  subscribe,
  upgradeTo,
} from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

const half = { percent_off: 50, duration: 'forever' } as const;
const pendingIfIncomplete = { payment_behavior: 'pending_if_incomplete' } as const;

it('gives a subscription another discount, which applies from the next invoice on, and takes it away', async () => {
  const { double, stripe } = await openStripe();
  const { pro } = await createPrices(stripe);
  const { id, customer } = await subscribe(stripe, { price: pro });
  const coupon = await stripe.coupons.create(half);
  const promotion = { type: 'coupon' as const, coupon: coupon.id };
  const { id: promotion_code } = await stripe.promotionCodes.create({ promotion, code: 'SPRING' });
  const changed = await stripe.subscriptions.update(id, { discounts: [{ promotion_code }] });
  expect(changed.discounts).toHaveLength(1);
  expect((await stripe.promotionCodes.retrieve(promotion_code)).times_redeemed).toBe(1);
  expect((await eventTypes(stripe)).slice(-2)).toEqual(['customer.discount.created', 'customer.subscription.updated']);
  const [discount] = changed.discounts;
  const kept = await stripe.subscriptions.update(id, { discounts: [{ discount: String(discount) }] });
  expect(kept.discounts).toEqual(changed.discounts);
  await advance(double.url, customer, 'period_end');
  expect((await stripe.invoices.list({ customer: String(customer) })).data[0]).toMatchObject({ total: 950 });
  expect((await stripe.subscriptions.update(id, { discounts: '' })).discounts).toEqual([]);
  expect(await eventTypes(stripe)).toContain('customer.discount.deleted');
  expect((await stripe.promotionCodes.retrieve(promotion_code)).times_redeemed).toBe(1);
});

it('refuses discounts of others, and those of renewals in previews', async () => {
  const { stripe } = await openStripe();
  const { pro, starter } = await createPrices(stripe);
  const subscription = await subscribe(stripe, { price: starter });
  const { id } = subscription;
  const discounts = [{ discount: 'di_none' }];
  const change = { ...upgradeTo(subscription, pro), ...pendingIfIncomplete, discounts };
  const missing = { code: 'resource_missing', param: 'discounts[0][discount]' };
  expect(await errorOf(stripe.subscriptions.update(id, { discounts }))).toMatchObject(missing);
  expect(await errorOf(stripe.subscriptions.update(id, change))).toMatchObject(missing);
  const preview = stripe.invoices.createPreview({ subscription: id, discounts });
  expect(await errorOf(preview)).toMatchObject({ code: 'not_served_by_double', param: 'discounts' });
});

describe('an upgrade with other discounts', () => {
  async function prepare(terms: Stripe.CouponCreateParams = half) {
    const { double, stripe } = await openStripe();
    const { pro, starter } = await createPrices(stripe);
    const old = await stripe.coupons.create({ amount_off: 100, currency: 'usd', duration: 'forever' });
    const subscription = await subscribe(stripe, { price: starter, discounts: [{ coupon: old.id }] });
    const { id: coupon } = await stripe.coupons.create(terms);
    const discounts = [{ discount: String(subscription.discounts[0]) }, { coupon }];
    const change = upgradeTo(subscription, pro);
    return { double, stripe, subscription, coupon, discounts, change };
  }
  const expand = ['latest_invoice'];

  it('is billed as its preview says, and keeps the discounts that last', async () => {
    const { stripe, subscription, coupon, discounts, change } = await prepare();
    const at = { proration_date: subscription.items.data[0]?.current_period_start ?? 0 };
    const details = { ...change, ...at };
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: details,
      discounts,
    });
    // 600 were paid for the old price, and 100 and then a half are taken off the new one.
    expect(preview).toMatchObject({ subtotal: 1_900 - 600, total: 900 - 600 });
    expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(0);
    const upgraded = await stripe.subscriptions.update(subscription.id, {
      ...{ ...details, ...pendingIfIncomplete, discounts, expand },
    });
    expect(upgraded).toMatchObject({ pending_update: null, latest_invoice: { status: 'paid', total: 300 } });
    expect(upgraded.discounts).toHaveLength(2);
    expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(1);
  });

  it('spends a discount that applies once', async () => {
    const { double, stripe, subscription, discounts, change } = await prepare({ percent_off: 50, duration: 'once' });
    const upgraded = await stripe.subscriptions.update(subscription.id, {
      ...{ ...change, ...pendingIfIncomplete, discounts, expand },
    });
    expect(upgraded.discounts).toEqual(subscription.discounts);
    await advance(double.url, subscription.customer, 'period_end');
    const { data } = await stripe.invoices.list({ customer: String(subscription.customer) });
    expect(data[0]).toMatchObject({ total: 1_800 });
  });

  it('keeps the old discounts until it is paid, and also when it is dropped or expires', async () => {
    const { double, stripe, subscription, coupon, discounts, change } = await prepare();
    await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
    const update = () =>
      stripe.subscriptions.update(subscription.id, { ...change, ...pendingIfIncomplete, discounts, expand });
    const pending = await update();
    expect(pending).toMatchObject({ discounts: subscription.discounts, latest_invoice: { status: 'open' } });
    expect(pending.pending_update?.discounts).toHaveLength(2);
    await stripe.invoices.voidInvoice(invoiceOf(pending).id);
    await update();
    await advance(double.url, subscription.customer, 1);
    const expired = await stripe.subscriptions.retrieve(subscription.id);
    expect(expired).toMatchObject({ discounts: subscription.discounts, pending_update: null });
    expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(0);
    const paid = await intentOf(stripe, invoiceOf(await update()).id);
    await stripe.paymentIntents.confirm(paid, { payment_method: 'pm_card_visa' });
    expect((await stripe.subscriptions.retrieve(subscription.id)).discounts).toHaveLength(2);
    expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(1);
  });
});
