import { expect, it } from 'vitest';
import { advance, control, createPrices, eventTypes, subscribe, upgradeTo } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

const half = { percent_off: 50, duration: 'forever' } as const;

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

it('refuses discounts of others, and discounts together with another price', async () => {
  const { stripe } = await openStripe();
  const { pro, starter } = await createPrices(stripe);
  const subscription = await subscribe(stripe, { price: starter });
  const none = { discounts: [{ discount: 'di_none' }] };
  const other = await errorOf(stripe.subscriptions.update(subscription.id, none));
  expect(other).toMatchObject({ code: 'resource_missing', param: 'discounts[0][discount]' });
  const { id: coupon } = await stripe.coupons.create(half);
  const change = { ...upgradeTo(subscription, pro), payment_behavior: 'pending_if_incomplete' as const };
  const both = await errorOf(stripe.subscriptions.update(subscription.id, { ...change, discounts: [{ coupon }] }));
  expect(both).toMatchObject({ code: 'not_served_by_double', param: 'discounts' });
  expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(0);
});

it('keeps renewals in draft for as long as the control call says', async () => {
  const { double, stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { customer } = await subscribe(stripe, { price: starter });
  await control(`${double.url}/_control/drafts`, { waitHours: 72 });
  const statusAfter = async (days: number) => {
    await advance(double.url, customer, days);
    return (await stripe.invoices.list({ customer: String(customer) })).data[0]?.status;
  };
  await advance(double.url, customer, 'period_end');
  expect(await statusAfter(2.9)).toBe('draft');
  expect(await statusAfter(0.2)).toBe('paid');
});
