import { randomUUID } from 'node:crypto';
import { balanceAfter, estimateNextBill } from '@uprez/domain/billing/estimate-next-bill';
import { type CouponDuration, createCoupon } from '@uprez/payments/coupons';
import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
const at = new Date('2027-01-01T00:00:00Z');
const noTax = { subtotal: 1_900, discount: 0, tax: 0 };
const price = { id: 'price_pro', tier: 'pro', amount: 700 } as const;
const subscription = { customerId: 'cus_none', collectsTax: false };
const estimate = (next: Partial<Parameters<typeof estimateNextBill>[1]>) =>
  estimateNextBill(world, { like: noTax, subscription, discounts: [], price, at, balance: 0, ...next });

type Terms = { duration?: CouponDuration; productIds?: string[]; amount?: number };
async function makeCoupon({ duration = { kind: 'forever' }, productIds = [], amount }: Terms = {}) {
  const couponId = randomUUID();
  const discount = amount === undefined ? { percent: 25 } : { amount, currency: 'usd' };
  const terms = { couponId, name: 'Estimate', discount, duration, productIds };
  await createCoupon(world.payments, { ...terms, idempotencyKey: couponId });
  return couponId;
}

it.each<[string, Terms, number]>([
  ['a percentage', {}, 525],
  ['an amount', { amount: 200 }, 500],
  ['an amount above the price', { amount: 900 }, 0],
  ['a coupon for one bill', { duration: { kind: 'once' } }, 700],
  ['a coupon for this plan', { productIds: ['uprez_pro'] }, 525],
  ['a coupon for another plan', { productIds: ['uprez_api_pro'] }, 700],
])('subtracts %s as far as it lasts', async (_case, terms, expected) => {
  const discounts = [{ couponId: await makeCoupon(terms), endsAt: null }];
  expect(await estimate({ discounts })).toBe(expected);
});

it('leaves out discounts that have ended by then', async () => {
  const couponId = await makeCoupon({ duration: { kind: 'months', months: 2 } });
  const later = new Date(Number(at) + 1_000);
  expect(await estimate({ discounts: [{ couponId, endsAt: at }] })).toBe(700);
  expect(await estimate({ discounts: [{ couponId, endsAt: later }] })).toBe(525);
});

it('adds tax at the rate of the other bill, and subtracts credit', async () => {
  const like = { subtotal: 2_000, discount: 1_000, tax: 200 };
  expect(await estimate({ like })).toBe(840);
  expect(await estimate({ like, balance: -800 })).toBe(40);
  expect(await estimate({ like, balance: -900 })).toBe(0);
});

it('adds no tax to a bill without a rate if none is collected', async () => {
  expect(await estimate({ like: { subtotal: 700, discount: 700, tax: 0 } })).toBe(700);
});

it('keeps the credit that a bill leaves', () => {
  expect(balanceAfter({ startingBalance: -300, total: 1_000, due: 700 })).toBe(0);
  expect(balanceAfter({ startingBalance: -300, total: 100, due: 0 })).toBe(-200);
  expect(balanceAfter({ startingBalance: 0, total: -500, due: 0 })).toBe(-500);
});
