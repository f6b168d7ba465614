import { randomUUID } from 'node:crypto';
import { calculateDiscount } from '@uprez/contracts/policy/billing/coupons';
import { openDb } from '@uprez/db/open-db';
import { endCall, insertCall } from '@uprez/db/queries/billing/billing-calls';
import type { CouponRow } from '@uprez/db/queries/coupons/coupons';
import { listCouponErrors, redeemCoupons } from '@uprez/db/queries/coupons/redemptions';
import { afterSeconds } from '@uprez/db/times';
import { reserveCoupon } from '@uprez/domain/billing/coupons/reserve-coupon';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import { afterEach, describe, expect, it } from 'vitest';

const database = fileFixture(() => openTestDatabase());
/** A pool of another process on the same database. */
const other = fileFixture(async () => openDb({ url: database.url, poolSize: 10, onError: () => {} }));

const account = async () => (await makeUser(database.db)).accountId;
type Use = { accountId?: string; tier?: 'pro' | 'api_basic'; callId?: string };
const reserve = async (
  { code }: Pick<CouponRow, 'code'>,
  { accountId, tier = 'pro', callId = randomUUID() }: Use = {},
  db = database.db,
) => {
  const by = accountId ?? (await account());
  await db.transaction().execute(async (tx) => {
    const call = { id: callId, accountId: by, kind: 'test', slot: null, idempotencyKey: callId, request: {} };
    await insertCall(tx, { ...call, expiresS: 60, leaseS: 60 });
    await reserveCoupon(tx, { code, accountId: by, tier, callId });
  });
  return callId;
};
const codeOf = (error: unknown) => (error as { code?: string }).code;
const outcomeOf = (promise: Promise<unknown>) => promise.then(() => 'reserved', codeOf);
const usesOf = async ({ id }: CouponRow) =>
  (await database.db.selectFrom('coupons').select('uses').where('id', '=', id).executeTakeFirst())?.uses;
const release = (callId: string) =>
  database.db.transaction().execute((tx) => endCall(tx, { id: callId, fence: 1 }, { state: 'failed' }));
const redeemBy = (callId: string, subscriptionId = `sub_${callId}`) =>
  database.db.transaction().execute((tx) =>
    redeemCoupons(tx, [
      { id: subscriptionId, callId },
      { id: 'sub_1', callId: null },
    ]),
  );

afterEach(async () => {
  expect(await listCouponErrors(database.db)).toEqual([]);
});

it('M6: 100 reservations at once of a coupon with one use: exactly one succeeds', async () => {
  const coupon = await makeCoupon(database.db, { maxUses: 1 });
  const accounts = await Promise.all(Array.from({ length: 100 }, account));
  const limit = pLimit(20);
  const ends = await Promise.all(
    accounts.map((accountId, i) =>
      limit(() => outcomeOf(reserve(coupon, { accountId }, i % 2 ? database.db : other.db))),
    ),
  );
  expect(ends.filter((end) => end === 'reserved')).toHaveLength(1);
  expect(new Set(ends)).toEqual(new Set(['reserved', 'coupon_used_up']));
  expect(await usesOf(coupon)).toBe(1);
});

it('M6: 20 reservations at once by one account: as many succeed as an account may use', async () => {
  const coupon = await makeCoupon(database.db, { perAccount: 2 });
  const accountId = await account();
  const ends = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(reserve(coupon, { accountId }))));
  expect(ends.filter((end) => end === 'reserved')).toHaveLength(2);
  expect(new Set(ends)).toEqual(new Set(['reserved', 'coupon_used']));
  expect(await usesOf(coupon)).toBe(2);
});

describe('a reservation is rejected', () => {
  it.each([
    ['coupon_not_found', undefined, {}],
    ['coupon_disabled', { disabledAt: new Date() }, {}],
    ['coupon_wrong_plan', { tiers: ['api_basic' as const] }, {}],
    ['coupon_not_ready', { promotionCodeId: null }, {}],
  ])('with %s', async (error, change, use) => {
    const coupon = change ? await makeCoupon(database.db, change) : { code: 'NO-SUCH-CODE' };
    expect(await outcomeOf(reserve(coupon, use))).toBe(error);
  });

  it('M6: with coupon_expired from the moment on in which it expires', async () => {
    const coupon = await makeCoupon(database.db);
    const until = (seconds: number) =>
      database.db
        .updateTable('coupons')
        .set({ expiresAt: afterSeconds(seconds) })
        .where('id', '=', coupon.id)
        .execute();
    await until(60);
    await reserve(coupon);
    // In the transaction that reserves, now() is the time of its start: the end itself is too late.
    const atEnd = database.db.transaction().execute(async (tx) => {
      await sql`update coupons set expires_at = now() where id = ${coupon.id}`.execute(tx);
      await reserveCoupon(tx, { code: coupon.code, accountId: await account(), tier: 'pro', callId: randomUUID() });
    });
    await expect(atEnd).rejects.toMatchObject({ code: 'coupon_expired' });
    await until(-1);
    expect(await outcomeOf(reserve(coupon))).toBe('coupon_expired');
  });

  it('M6: with coupon_second while a subscription has a code', async () => {
    const [first, second] = [await makeCoupon(database.db), await makeCoupon(database.db)];
    const accountId = await account();
    const callId = await reserve(first, { accountId });
    const [from, until] = [new Date(Date.now() - 1_000), new Date(Date.now() + 86_400_000)];
    const { subscriptionId } = await makePaidPlan(database.db, { accountId, tier: 'pro', from, until });
    await redeemBy(callId, subscriptionId);
    expect(await outcomeOf(reserve(second, { accountId }))).toBe('coupon_second');
    await database.db
      .updateTable('subscriptions')
      .set({ status: 'canceled' })
      .where('id', '=', subscriptionId)
      .execute();
    expect(await outcomeOf(reserve(second, { accountId }))).toBe('reserved');
    expect(await outcomeOf(reserve(first, { accountId }))).toBe('coupon_used');
  });
});

describe('a use', () => {
  it('is free again when its purchase ends without payment, once', async () => {
    const coupon = await makeCoupon(database.db, { maxUses: 1 });
    const accountId = await account();
    const callId = await reserve(coupon, { accountId });
    await Promise.all([release(callId), release(callId), release(callId)]);
    expect(await usesOf(coupon)).toBe(0);
    expect(await outcomeOf(reserve(coupon, { accountId }))).toBe('reserved');
  });

  it('stays when it is redeemed, and a release afterward changes nothing', async () => {
    const coupon = await makeCoupon(database.db, { maxUses: 1 });
    const callId = await reserve(coupon);
    await redeemBy(callId);
    await release(callId);
    expect(await usesOf(coupon)).toBe(1);
    expect(await outcomeOf(reserve(coupon))).toBe('coupon_used_up');
  });

  it('stays counted when its account is deleted', async () => {
    const coupon = await makeCoupon(database.db, { maxUses: 1 });
    const accountId = await account();
    await redeemBy(await reserve(coupon, { accountId }));
    await database.db.deleteFrom('users').where('id', '=', accountId).execute();
    expect(await outcomeOf(reserve(coupon))).toBe('coupon_used_up');
  });
});

it('M6: a discount is never more than the price, so no total is negative', () => {
  for (const price of [1, 700, 4_900])
    for (const value of [1, 33, 100, 700, 1_000_000]) {
      expect(price - calculateDiscount(price, { type: 'fixed', value })).toBeGreaterThanOrEqual(0);
      expect(
        price - calculateDiscount(price, { type: 'percentage', value: Math.min(100, value) }),
      ).toBeGreaterThanOrEqual(0);
    }
});
