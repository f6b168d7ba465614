import { changeCouponState } from '@uprez/domain/admin/coupons';
import { reserveCoupon } from '@uprez/domain/billing/coupons/reserve-coupon';
import { syncCoupons } from '@uprez/domain/billing/coupons/sync-coupons';
import type { FailureInput } from '@uprez/local-stack/stripe/http/failures';
import { findCoupon, listPromotionCodes } from '@uprez/payments/coupons';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { beforeEach, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
beforeEach(() => {
  world.warnings.length = 0;
});
const notSynced = { promotionCodeId: null, isActiveAtStripe: false };

const codesOf = async (id: string) => (await listPromotionCodes(world.payments, { couponId: `uprez_${id}` })).items;
const rowOf = (id: string) => world.db.selectFrom('coupons').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const dueNow = () =>
  world.db
    .updateTable('coupons')
    .set({ notBefore: new Date(0) })
    .execute();

it('creates the copies of new coupons, once', async () => {
  const percent = await makeCoupon(world.db, { ...notSynced, tiers: ['pro'], duration: 'months', durationMonths: 3 });
  const fixed = await makeCoupon(world.db, { ...notSynced, amount: 250, duration: 'forever' });
  expect(await syncCoupons(world)).toBe(2);
  expect(await syncCoupons(world)).toBe(0);
  const [code] = await codesOf(percent.id);
  expect(code).toMatchObject({ code: percent.code, isActive: true });
  expect(await rowOf(percent.id)).toMatchObject({ promotionCodeId: code?.id, isActiveAtStripe: true });
  expect(await findCoupon(world.payments, `uprez_${percent.id}`)).toMatchObject({
    discount: { percent: 10 },
    duration: { kind: 'months', months: 3 },
  });
  expect(await findCoupon(world.payments, `uprez_${fixed.id}`)).toMatchObject({
    discount: { amount: 250, currency: 'usd' },
    duration: { kind: 'forever' },
  });
});

it('deactivates a disabled code when no purchase holds it, and activates it again', async () => {
  const coupon = await makeCoupon(world.db, notSynced);
  await syncCoupons(world);
  const { accountId } = await makeUser(world.db);
  await world.db.updateTable('users').set({ role: 'owner' }).where('id', '=', accountId).execute();
  const admin = { accountId, address: undefined, permission: 'payments.manage' } as const;
  const callId = crypto.randomUUID();
  const disable = (isDisabled: boolean) => changeCouponState(world, { admin, couponId: coupon.id, isDisabled });
  await world.db
    .transaction()
    .execute((tx) => reserveCoupon(tx, { code: coupon.code, accountId, tier: 'pro', callId }));
  await disable(true);
  expect(await syncCoupons(world)).toBe(0);
  await world.db
    .updateTable('couponRedemptions')
    .set({ redeemedAt: new Date() })
    .where('callId', '=', callId)
    .execute();
  expect(await syncCoupons(world)).toBe(1);
  expect(await codesOf(coupon.id)).toMatchObject([{ isActive: false }]);
  await disable(false);
  expect(await syncCoupons(world)).toBe(1);
  expect(await codesOf(coupon.id)).toMatchObject([{ isActive: true }]);
});

const failures: FailureInput[] = [
  { when: 'before', kind: 'error', method: 'POST', path: '/v1/coupons', times: 2 },
  { when: 'after', kind: 'error', method: 'POST', path: '/v1/coupons', times: 2 },
  { when: 'before', kind: 'reset', method: 'POST', path: '/v1/promotion_codes', times: 2 },
  { when: 'after', kind: 'error', method: 'POST', path: '/v1/promotion_codes', times: 2 },
  { when: 'before', kind: 'rate_limit', method: 'GET', path: '/v1/promotion_codes', times: 2 },
];
it.each(failures)('makes one copy although $method $path fails $when its effect ($kind)', async (failure) => {
  const coupon = await makeCoupon(world.db, notSynced);
  world.stripe.double.failures.add(failure);
  expect(await syncCoupons(world)).toBe(0);
  expect(await rowOf(coupon.id)).toMatchObject({ failures: 1, error: expect.stringContaining('payments') });
  expect(world.warnings).toHaveLength(1);
  expect(await syncCoupons(world)).toBe(0);
  await dueNow();
  for (let tries = 0; tries < 3 && !(await rowOf(coupon.id)).promotionCodeId; tries += 1) {
    await syncCoupons(world);
    await dueNow();
  }
  expect(await codesOf(coupon.id)).toHaveLength(1);
  expect(await rowOf(coupon.id)).toMatchObject({ failures: 0, error: null });
});
