import { expect, it } from 'vitest';
import { errorOf, openStripe } from './helpers.ts';

const monthly = { product: 'uprez_pro', currency: 'usd', unit_amount: 700, recurring: { interval: 'month' } } as const;

it('refuses a second product with the same ID, and deletes products without prices only', async () => {
  const { stripe } = await openStripe();
  await stripe.products.create({ id: 'uprez_pro', name: 'Pro', metadata: { tier: 'pro', old: '1' } });
  expect(await errorOf(stripe.products.create({ id: 'uprez_pro', name: 'Pro' }))).toMatchObject({
    code: 'resource_already_exists',
  });
  const changed = await stripe.products.update('uprez_pro', { metadata: { old: '' }, description: 'For photos' });
  expect(changed).toMatchObject({ name: 'Pro', description: 'For photos', metadata: { tier: 'pro' } });
  await stripe.prices.create(monthly);
  expect(await errorOf(stripe.products.del('uprez_pro'))).toMatchObject({ statusCode: 400 });
  await stripe.products.create({ id: 'unused', name: 'Unused' });
  expect(await stripe.products.del('unused')).toMatchObject({ deleted: true });
});

it('moves a lookup key to another price only when asked', async () => {
  const { stripe } = await openStripe();
  await stripe.products.create({ id: 'uprez_pro', name: 'Pro' });
  const old = await stripe.prices.create({ ...monthly, lookup_key: 'pro_month' });
  expect(old.unit_amount_decimal?.toString()).toBe('700');
  const next = { ...monthly, unit_amount: 900, lookup_key: 'pro_month' };
  expect(await errorOf(stripe.prices.create(next))).toMatchObject({ param: 'lookup_key' });
  const price = await stripe.prices.create({ ...next, transfer_lookup_key: true });
  await stripe.prices.update(old.id, { active: false });
  const found = await stripe.prices.list({ lookup_keys: ['pro_month'], active: true });
  expect(found.data.map(({ id }) => id)).toEqual([price.id]);
});

it('checks the discount of a coupon, and when it ends', async () => {
  let now = 1_800_000_000;
  const { stripe } = await openStripe({ now: () => now });
  expect(await errorOf(stripe.coupons.create({ percent_off: 101 }))).toMatchObject({ param: 'percent_off' });
  expect(await errorOf(stripe.coupons.create({ amount_off: 500 }))).toMatchObject({ param: 'currency' });
  expect(await errorOf(stripe.coupons.create({}))).toMatchObject({ statusCode: 400 });
  expect(await errorOf(stripe.coupons.create({ percent_off: 10, duration: 'repeating' }))).toMatchObject({
    param: 'duration_in_months',
  });
  const coupon = await stripe.coupons.create({ percent_off: 12.5, duration: 'forever', redeem_by: now + 60 });
  expect(coupon).toMatchObject({ percent_off: 12.5, duration: 'forever', valid: true });
  now += 60;
  expect((await stripe.coupons.retrieve(coupon.id)).valid).toBe(false);
});

it('shows the products of a coupon where they are expanded', async () => {
  const { stripe } = await openStripe();
  const coupon = await stripe.coupons.create({ percent_off: 10, applies_to: { products: ['uprez_pro'] } });
  expect(coupon).not.toHaveProperty('applies_to');
  expect(await stripe.coupons.retrieve(coupon.id, { expand: ['applies_to'] })).toMatchObject({
    applies_to: { products: ['uprez_pro'] },
  });
});

it('keeps active promotion codes unique, ignoring case', async () => {
  const { stripe } = await openStripe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10 });
  const promotion = { type: 'coupon', coupon } as const;
  const spring = await stripe.promotionCodes.create({ promotion, code: 'SPRING' });
  expect(await errorOf(stripe.promotionCodes.create({ promotion, code: 'spring' }))).toMatchObject({ param: 'code' });
  await stripe.promotionCodes.update(spring.id, { active: false });
  const again = await stripe.promotionCodes.create({ promotion, code: 'spring', expand: ['promotion.coupon'] });
  expect(again.promotion.coupon).toMatchObject({ percent_off: 10 });
  const active = await stripe.promotionCodes.list({ code: 'Spring', active: true });
  expect(active.data.map(({ id }) => id)).toEqual([again.id]);
});

it('creates, updates, and deletes customers, and keeps the ID of deleted ones', async () => {
  const { stripe } = await openStripe();
  const ada = await stripe.customers.create({
    email: 'ada@example.test',
    address: { country: 'US', postal_code: '94107' },
    metadata: { account: '1' },
  });
  expect(ada).toMatchObject({ email: 'ada@example.test', address: { country: 'US', line1: null } });
  const changed = await stripe.customers.update(ada.id, { email: '', address: '', metadata: { account: '' } });
  expect(changed).toMatchObject({ email: null, address: null, metadata: {} });
  await stripe.customers.del(ada.id);
  expect(await stripe.customers.retrieve(ada.id)).toMatchObject({ id: ada.id, deleted: true });
  expect(await errorOf(stripe.customers.update(ada.id, { name: 'Ada' }))).toMatchObject({ statusCode: 404 });
  const deleted = await stripe.events.list({ type: 'customer.deleted' });
  expect(deleted.data[0]?.data.object).toMatchObject({ id: ada.id, email: null });
});
