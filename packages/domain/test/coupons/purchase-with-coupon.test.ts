import { listCouponErrors } from '@uprez/db/queries/coupons/redemptions';
import { syncCoupons } from '@uprez/domain/billing/coupons/sync-coupons';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';
import { listInvoices } from '@uprez/payments/invoices';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, describe, expect, it } from 'vitest';
import { openPurchases } from '../billing/purchase-fixtures.ts';

const world = fileFixture(openPurchases);
afterEach(async () => {
  await world.recover();
  expect(await listCouponErrors(world.db)).toEqual([]);
});

/** Creates a coupon with its copy at Stripe. */
async function makeSynced(change: Parameters<typeof makeCoupon>[1] = {}) {
  const coupon = await makeCoupon(world.db, { ...change, promotionCodeId: null, isActiveAtStripe: false });
  await syncCoupons(world);
  return coupon;
}
const refresh = ({ id }: Buyer) => refreshBilling(world.ctx(), { accountId: id });
const usesOf = async ({ id }: { id: string }) => {
  const { uses } = await world.db.selectFrom('coupons').select('uses').where('id', '=', id).executeTakeFirstOrThrow();
  const rows = await world.db
    .selectFrom('couponRedemptions')
    .selectAll()
    .where('couponId', '=', id)
    .orderBy('id')
    .execute();
  const states = rows.map(({ redeemedAt, releasedAt }) =>
    redeemedAt ? 'redeemed' : releasedAt ? 'released' : 'reserved',
  );
  return { uses, states, rows };
};
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a purchase with a code', () => {
  it('is discounted in the form, redeemed when it is paid, and the next bill has the full price', async () => {
    const coupon = await makeSynced({ percent: 20 });
    const buyer = await world.makeBuyer();
    const bought = await world.form(buyer, { priceId: 'pro', coupon: coupon.code.toLowerCase() });
    expect(bought).toMatchObject({
      bill: { subtotal: 700, discount: 140, total: 560, due: 560 },
      next: { amount: 700 },
    });
    expect(await usesOf(coupon)).toMatchObject({ uses: 1, states: ['reserved'] });
    await world.payForm(bought.clientSecret);
    expect(await refresh(buyer)).toMatchObject({ tier: 'pro' });
    const { subscriptions, customers } = await world.listOf(buyer);
    expect(await usesOf(coupon)).toMatchObject({
      states: ['redeemed'],
      rows: [{ subscriptionId: subscriptions[0]?.id, accountId: buyer.id }],
    });
    const { items } = await listInvoices(world.payments, { customerId: customers[0]?.id ?? '' });
    expect(items).toMatchObject([{ paid: 560, discount: 140 }]);
  });

  it('is discounted on the page of Stripe', async () => {
    const coupon = await makeSynced({ amount: 250 });
    const buyer = await world.makeBuyer();
    await world.payHosted((await world.hosted(buyer, { priceId: 'pro', coupon: coupon.code })).url);
    await refresh(buyer);
    const { customers } = await world.listOf(buyer);
    const { items } = await listInvoices(world.payments, { customerId: customers[0]?.id ?? '' });
    expect(items).toMatchObject([{ total: 450, paid: 450, discount: 250 }]);
    expect(await usesOf(coupon)).toMatchObject({ states: ['redeemed'] });
  });

  it('M6: costs 0, never less, when the discount exceeds the price', async () => {
    const coupon = await makeSynced({ amount: 5_000 });
    const buyer = await world.makeBuyer();
    const { bill, confirms } = await world.form(buyer, { priceId: 'pro', coupon: coupon.code });
    expect({ bill, confirms }).toMatchObject({ bill: { discount: 700, total: 0, due: 0 }, confirms: 'setup' });
  });

  it('reserves one use for a double click, and the same one when it is continued', async () => {
    const coupon = await makeSynced({ maxUses: 1 });
    const buyer = await world.makeBuyer();
    const what = { priceId: 'pro', coupon: coupon.code };
    const clicks = await Promise.all([world.form(buyer, what), world.form(buyer, what)]);
    const later = await world.form(buyer, what);
    expect(new Set([...clicks, later].map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(await usesOf(coupon)).toMatchObject({ uses: 1, states: ['reserved'] });
  });

  it('releases its use when another purchase replaces it, which can reserve it again', async () => {
    const coupon = await makeSynced({ maxUses: 1 });
    const buyer = await world.makeBuyer();
    await world.form(buyer, { priceId: 'pro', coupon: coupon.code });
    const without = await world.form(buyer, 'pro');
    expect(without.bill).toMatchObject({ discount: 0, total: 700 });
    expect(await usesOf(coupon)).toMatchObject({ uses: 0, states: ['released'] });
    await world.form(buyer, { priceId: 'api_basic', coupon: coupon.code });
    await world.hosted(buyer, { priceId: 'pro', coupon: coupon.code });
    expect(await usesOf(coupon)).toMatchObject({ uses: 1, states: ['released', 'released', 'reserved'] });
  });

  it('releases its use when it expires', async () => {
    const coupon = await makeSynced({ maxUses: 1 });
    const buyer = await world.makeBuyer();
    await world.form(buyer, { priceId: 'pro', coupon: coupon.code });
    await world.db
      .updateTable('billingCalls')
      .set({ expiresAt: new Date(0), notBefore: new Date(0), leaseUntil: null })
      .where('accountId', '=', buyer.id)
      .execute();
    await world.dispatch();
    expect(await usesOf(coupon)).toMatchObject({ uses: 0, states: ['released'] });
  });

  it('keeps its use when it was paid just before it expired', async () => {
    const coupon = await makeSynced({ maxUses: 1 });
    const buyer = await world.makeBuyer();
    await world.payForm((await world.form(buyer, { priceId: 'pro', coupon: coupon.code })).clientSecret);
    await world.db
      .updateTable('billingCalls')
      .set({ expiresAt: new Date(0), notBefore: new Date(0), leaseUntil: null })
      .where('accountId', '=', buyer.id)
      .execute();
    await world.dispatch();
    expect(await usesOf(coupon)).toMatchObject({ uses: 1, states: ['redeemed'] });
  });

  it('releases its use when Stripe rejects the purchase', async () => {
    const coupon = await makeSynced({ maxUses: 1 });
    // Someone removed the code at Stripe.
    await world.db
      .updateTable('coupons')
      .set({ promotionCodeId: `promo_${coupon.id}` })
      .where('id', '=', coupon.id)
      .execute();
    const buyer = await world.makeBuyer();
    await expect(world.form(buyer, { priceId: 'pro', coupon: coupon.code })).rejects.toThrow();
    expect(await usesOf(coupon)).toMatchObject({ uses: 0, states: ['released'] });
  });
});

describe('a purchase is rejected, and another one stays', () => {
  it.each([
    ['coupon_expired', { expiresAt: new Date(0) }],
    ['coupon_disabled', { disabledAt: new Date() }],
    ['coupon_wrong_plan', { tiers: ['api_pro' as const] }],
  ])('with %s', async (error, change) => {
    const coupon = await makeSynced(change);
    const buyer = await world.makeBuyer();
    const { clientSecret } = await world.form(buyer);
    await expect(world.form(buyer, { priceId: 'pro', coupon: coupon.code })).rejects.toEqual(code(error));
    expect((await world.form(buyer)).clientSecret).toBe(clientSecret);
  });

  it('with coupon_not_found for an unknown code', async () => {
    const buyer = await world.makeBuyer();
    await expect(world.form(buyer, { priceId: 'pro', coupon: 'NO-SUCH' })).rejects.toEqual(code('coupon_not_found'));
    expect(await world.readCalls(buyer)).toEqual([]);
  });

  it('M6: with coupon_used_up when two buyers want the last use', async () => {
    const coupon = await makeSynced({ maxUses: 1 });
    const buyers = await Promise.all([world.makeBuyer(), world.makeBuyer()]);
    const ends = await Promise.allSettled(
      buyers.map((buyer) => world.form(buyer, { priceId: 'pro', coupon: coupon.code })),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ends.find((end) => end.status === 'rejected')?.reason).toEqual(code('coupon_used_up'));
    expect(await usesOf(coupon)).toMatchObject({ uses: 1 });
  });
});
