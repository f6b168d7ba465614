import { AppError } from '@uprez/contracts/errors/app-error';
import { discountOn } from '@uprez/contracts/policy/billing/coupons';
import type { CouponOffer } from '@uprez/contracts/schemas/billing/coupons';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import type { CouponRow } from '@uprez/db/queries/coupons/coupons';
import type { Needs } from '../../context.ts';
import { discountOf, requireUsableCoupon, termsOf } from './coupon-rules.ts';
import { type CodeGuesser, findTypedCoupon } from './find-typed-coupon.ts';

type Check = {
  code: string;
  /** Price ID of the plan to buy, or the key of a plan. */
  priceId?: string | undefined;
  /** Billing interval if `priceId` is the key of a plan. Defaults to monthly. */
  interval?: PlanPriceRow['interval'] | undefined;
  guesser: CodeGuesser;
};

/**
 * Returns the discount of a code. Throws `price_not_found`, or the error of a code that can't be used. Reserves
 * nothing.
 */
export async function checkCoupon(
  ctx: Needs<'db'>,
  { code, priceId, interval = 'month', guesser }: Check,
): Promise<CouponOffer> {
  const price = priceId === undefined ? undefined : await findPrice(ctx, priceId, interval);
  const coupon = await findTypedCoupon(ctx, { code, guesser });
  await requireUsableCoupon(ctx.db, coupon, { accountId: guesser.accountId, tier: price?.tier });
  return { ...termsOf(coupon), plan: price ? planOffer(coupon, price) : null };
}

async function findPrice(
  { db }: Needs<'db'>,
  priceId: string,
  interval: PlanPriceRow['interval'],
): Promise<PlanPriceRow> {
  const prices = await listPlanPrices(db);
  const price = prices.find((one) => one.id === priceId || (one.tier === priceId && one.interval === interval));
  if (!price) throw new AppError('price_not_found');
  return price;
}

function planOffer(coupon: CouponRow, { tier, interval, amount: price, currency }: PlanPriceRow) {
  const discount = discountOn(price, discountOf(coupon));
  return { tier, interval, price, discount, total: price - discount, currency };
}
